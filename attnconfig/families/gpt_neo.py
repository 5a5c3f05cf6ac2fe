"""GPT-Neo: every second layer has a window; and encoders with decoders, refused."""

from attnconfig.attention import Grouped, Window
from attnconfig.building import block, decoder, family, stack
from attnconfig.families.early import even, four_times, positions
from attnconfig.model import Model
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER


@family("gpt_neo")
def gpt_neo(c: Noted) -> Model:
    """Attention that does not scale; global and local layers by turns."""
    found = _kinds(c)
    size = Window(c.size("window_size", 256))
    c.ignore("attention_layers", why="What attention_types says, layer by layer.")
    layers = [
        block(
            Grouped(
                *even(c),
                out_bias=True,
                scale=1.0,
                window=size if kind == "local" else None,
            ),
            four_times(c, "intermediate_size"),
            norm=LAYER,
        )
        for kind in found
    ]
    around = positions(c, "max_position_embeddings", 2048)
    return decoder(c, layers, tied=True, norm=LAYER, around=around)


def _kinds(c: Noted) -> list[str]:
    """Unfold lines such as ``[[["global", "local"], 12]]``."""
    try:
        turns = c.get("attention_types", [[["global", "local"], 12]])
        found = [kind for some, times in turns for kind in some * times]
    except (TypeError, ValueError):
        found = []
    if len(found) != len(stack(c)) or set(found) - {"global", "local"}:
        raise Refusal("attention_types does not say global or local for each layer.")
    return found


@family(
    *("t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "m2m_100", "whisper"),
    *("longt5", "switch_transformers", "blenderbot", "t5gemma", "t5gemma2"),
)
def encoder_and_decoder(c: Noted) -> Model:
    """Refuse: two stacks of layers, and one looks at the other."""
    said = "an encoder beside a decoder that looks at it"
    raise Refusal(f"model_type {c.get('model_type')!r} is {said}: not counted here.")


@family(
    "bert", "roberta", "distilbert", "electra", "deberta-v2", "modernbert", "albert"
)
def encoder(c: Noted) -> Model:
    """Refuse: nothing is kept while it reads, and it does not write."""
    said = "an encoder, which keeps no cache"
    raise Refusal(f"model_type {c.get('model_type')!r} is {said}: not counted here.")
