"""DOMAIN: for each field of a model the values in use, right and wrong, each a row.

The rows are a table of text. A block of lines is about one field. Its first line is
`field | source`, and perhaps

- `if CONDITION`: for which model and sizes its rows make sense;
- `within WORDS`, in which `{}` stands for the words of each row;
- `and FIELDS`, which each row sets as well;
- `for b in VALUES`: its rows stand for each b, which is `{b}` in names and words;
- `rare`: its rows are not tried together with others;
- `never`: nobody means them.

A row is `name | words`, or `name | words | fields`, as `scale=c * 2, factor=1.0`; the
field itself becomes the name if no fields are set. Formulas are Python: they know the
`model` and its fields, the sizes `s`, each by name too, the scale as a number `c`, the
window's sides `left` and `right`, the row's `name`, `b`, and what is `given`. A line
with more space before it continues the one above.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from attncheck.model.fields import EPS, SCALES, Model, Rule, Sizes, band, scale_of
from attncheck.model.moves import slopes_of

OPTIONS = {"if", "within", "and", "for", "rare", "never"}
BY_PLACE = {"window", "alignment", "offset"}


@dataclass(frozen=True, eq=False)
class Value:
    """A value that a field of a model has in some program."""

    field: str  # two values of one field exclude each other
    name: str
    words: str
    source: str  # where it is defined, or what goes wrong where it is a mistake
    rare: bool  # not tried together with another
    never: bool  # nobody means it
    fields: CodeType  # what it sets
    when: CodeType  # where it makes sense
    given: Mapping[str, Any]  # what formulas know beside model and sizes

    @property
    def code(self) -> str:
        """The field and the name: "scale: 1/d_k"."""
        return f"{self.field}: {self.name}"

    def change(self, model: Model, sizes: Sizes) -> Model | None:
        """Return the changed model; None where it makes no sense or no difference."""
        left, right = model.window
        known = {"left": left, "right": right, "model": model, "s": sizes}
        known["c"] = scale_of(model.scale, sizes.d, sizes.n_heads)
        known = {**self.given, **vars(model), **sizes._asdict(), **known}
        if not eval(self.when, known):
            return None
        fields = eval(self.fields, known)
        return None if _alike(model, fields, sizes) else model.change(**fields)


def _alike(model: Model, fields: dict[str, Any], s: Sizes) -> bool:
    """Say whether a model has these fields already, or others that mean the same."""
    if set(fields) <= BY_PLACE:
        both = (x.change(picture=None) for x in (model, model.change(**fields)))
        before, after = (band(s.n, s.m, x) for x in both)
        return np.array_equal(before, after)
    return all(_same(name, getattr(model, name), x, s) for name, x in fields.items())


def _same(name: str, a: Any, b: Any, s: Sizes) -> bool:
    if name == "scale":
        a, b = (scale_of(x, s.d, s.n_heads) for x in (a, b))
        return bool(abs(b - a) < 1e-6 * abs(a))
    return a is b or (np.ndim(a) == np.ndim(b) == 0 and bool(a == b))


def read_values(table: str, given: Mapping[str, Any]) -> Iterator[Value]:
    """Read a table of text; `given` are the names that its formulas use."""
    for block in re.sub(r"\n {5,}", " ", table).strip().split("\n\n"):
        head, *lines = block.splitlines()
        field, source, *options = head.split(" | ")
        told = {word: rest for word, _, rest in (x.partition(" ") for x in options)}
        if unknown := told.keys() - OPTIONS:
            raise ValueError(f"a line of values has no {unknown}: {head}")
        when = compile(told.get("if", "True"), f"<{head}>", "eval")
        family = told.get("for", "b in (None,)").removeprefix("b in ")
        for b in eval(family, dict(given)):
            for line in lines:
                name, words, *fields = line.strip().format(b=b).split(" | ")
                sets = fields or [f"{field}={name!r}"]
                sets += [told["and"]] if "and" in told else []
                yield Value(
                    field,
                    name,
                    told.get("within", "{}").format(words, b=b),
                    source,
                    "rare" in told,
                    "never" in told,
                    compile(f"dict({', '.join(sets)})", f"<{head}>", "eval"),
                    when,
                    {**given, "b": b, "name": name},
                )


def unnamed(x: float, d: int, n_heads: int) -> bool:
    """Say whether no rule of SCALES gives this scale."""
    known = (scale_of(name, d, n_heads) for name in SCALES)
    return not any(abs(x / y - 1) < 1e-6 for y in known)


def late(scale: float, d: int) -> float:
    """Return the factor of weights that are scaled in place of the scores."""
    return d**-0.5 if scale == 1 else scale


def turn(
    pairs: tuple[str, str], rotary: dict[str, Any] | None, **more: Any
) -> dict[str, Any] | None:
    """Return the keywords of a rotation; None where there is one of other pairs."""
    interleaved = pairs[0] == "neighbors"
    if rotary is not None and rotary["interleaved"] != interleaved:
        return None
    return {**(rotary or {}), "interleaved": interleaved, **more}


def narrowed(model: Model, part: Any) -> dict[str, Any]:
    """Take a part of a mask (b, h, n, m) that has more, and give it to all."""
    name = "allowed" if model.allowed is not None else "bias"
    mask = getattr(model, name)
    more = np.ndim(mask) == 4 and mask[part].shape != mask.shape
    return {name: mask[part] if more else mask}


def as_large(roles: str, s: Sizes) -> bool:
    """Say whether arrays can take each other's places."""
    square = s.n == s.m and s.n_heads == s.n_kv_heads
    moved = "v" in roles[:2] or roles[2] != "v"
    by_row = roles[0] == "k" or "q" in roles[1:]
    return (s.d == s.d_v or not moved) and (square or not by_row)


def shared(grouping: str, h: int, g: int) -> bool:
    """Say whether a way to share g key heads is another than usual."""
    same = g == 1 or (grouping != "first" and g == h)
    return not (same or (grouping == "by count" and h == g**2))


USUAL = ("1/√d_k", "1 (none)", "1/d_k", "√d_k", "−1/√d_k (negated)")
SLIPS = tuple(name for name in SCALES if name not in USUAL)
OF = (8, 16, 32, 64, 128)  # sizes of blocks
PAIRS = (("halves", "neighbors"), ("neighbors", "halves"))
SIZES = (2, 3, 4, 5, 8, 16, 32, 64, 128)  # of blocks that are put together
TOGETHER = (
    *((b, f"block of {b} keys", f", {b}") for b in SIZES),
    *((b, f"of {b} parts of keys", f" in parts, {b}") for b in (2, 3, 4, 8)),
)
TABLE = """
scale | Vaswani et al. 2017; T5 (Raffel et al. 2020): none; muP (2022): 1/d_k
     | if c | for b in USUAL
    {b} | scores are multiplied by {b}

scale | another scale, or a slip in it
     | if c and np.isfinite(SCALES[b](d, n_heads)) | for b in SLIPS | rare
    {b} | scores are multiplied by {b}

scale | n in place of d_k | if unnamed(m**-0.5, d, n_heads) | rare
    1/√n_keys | scores are multiplied by 1/√n_keys | scale=m**-0.5

scale | n in place of d_k | if unnamed(n**-0.5, d, n_heads) | rare | never
    1/√n_queries | scores are multiplied by 1/√n_queries | scale=n**-0.5

scale | two layers scale | if unnamed(c**2, d, n_heads)
    twice | scores are scaled twice | scale=c**2

scale | a mask that is added twice: harvard-edge/cs249r_book#1785 | if m > 1 | rare
     | never
    0 | scores do not count: all keys that a query sees weigh the same | scale=0.0

scale | google-research ViT ports | if factor == 1 and late(c, d) != 1 | never
    after the softmax | the scale comes after the softmax
     | scale=1.0, factor=late(c, d)

softcap | a cap that is dropped
    none | scores are not capped | softcap=None

order | a cap that brings masked scores back | if softcap | never
    after the mask | the cap follows the mask | order="mask, cap"

softcap | Gemma 2 (2024), Grok-1 (2024) | for b in (20, 30, 50)
    {b} | scores are capped at {b} | softcap={b}.0

softcap | a slip in the cap | if softcap is not None
    before the scale | the cap comes before the scale | softcap=softcap * abs(c)
    clipped | scores are clipped at the cap, without tanh | squash="clip"

softcap | half a cap | if softcap is not None | never
    not multiplied | tanh is not multiplied by the cap | softcap=1.0, scale=c / softcap
    not divided | scores are not divided by the cap before tanh | scale=c * softcap

product | QK-norm (Henry et al. 2020)
    cosine | scores are cosines
    rms | queries and keys are divided by their root mean square

product | QK-norm, with an ε | for b in EPS.items()
    {b[0]} | queries and keys are divided by √(mean square + {b[1]:.2g})

product | distances in place of products
    distance | scores are distances, negated
    squared distance | scores are squared distances, negated

product | a slip in the columns | never
    halves | the keys' first and last halves of columns are exchanged
    reversed | the keys' columns are in reversed order
    reshaped | keys are reshaped to (d, n_keys), not transposed

columns | a loop over columns | within only the first columns are multiplied, {} | rare
     | never | if d > 1
    half of them | half of them | columns=(0, d // 2)
    all but one | all but one | columns=(0, d - 1)

columns | a loop over columns | within only the first columns are multiplied, {} | rare
     | never | if d > b and d % b | for b in (16, 32, 64)
    full blocks of {b} | full blocks of {b} | columns=(0, d - d % b)

rotary | RoFormer (Su et al. 2021), section 3.4.2 | if rotary is None | for b in PAIRS
    {b[0]} | queries and keys are rotated (rotary, pairs of {b[0]}, base 10,000)
     | rotary=turn(b, None)

rotary | half a rotation | if turn(b, rotary) | rare | never | for b in PAIRS
     | within {} (pairs of {b[0]})
    queries alone, {b[0]} | only the queries are rotated
     | rotary=turn(b, rotary, only="q")
    keys alone, {b[0]} | only the keys are rotated | rotary=turn(b, rotary, only="k")
    keys one later, {b[0]} | the keys are rotated by one place more
     | rotary=turn(b, rotary, late=1)
    keys one earlier, {b[0]} | the keys are rotated by one place less
     | rotary=turn(b, rotary, late=-1)
    values too, {b[0]} | the values are rotated, too
     | rotary=turn(b, rotary, values=True)
    apart, {b[0]} | queries and keys are rotated in opposite directions
     | rotary=turn(b, rotary, apart=True)
    laid out for the other pairs, {b[0]} | the angles are laid out for pairs of {b[1]},
     and columns rotated in others | rotary=turn(b, rotary, laid=True)
    not conjugate, {b[0]} | queries and keys are multiplied as complex numbers, with no
     conjugate | rotary=turn(b, rotary, conjugate=True)

rotary | a cache, another direction | if turn(b, rotary) | rare | for b in PAIRS
     | within {} (pairs of {b[0]})
    from the last key, {b[0]} | queries are rotated as those of the last keys
     | rotary=turn(b, rotary, queries=True)
    backwards, {b[0]} | queries and keys are rotated backwards
     | rotary=turn(b, rotary, backwards=True)
    halved, {b[0]} | places are halved | rotary=turn(b, rotary, step=0.5)
    halved from the last key, {b[0]} | places are halved, and queries those of the last
     keys | rotary=turn(b, rotary, step=0.5, queries=True)

slopes | ALiBi (Press et al. 2021), section 3 | if slopes is None
    alibi | ALiBi is added to the scores | slopes=slopes_of(n_heads)

window | attnlib, SDPA of PyTorch: start | and alignment="start", offset=0
    none | no causal mask: every query sees every key | window=(None, None)
    start | causal, aligned at the first query (j ≤ i) | window=(None, 0)
    strict | only keys before its own (j < i) | window=(None, -1)
    one-too-many | one key too many (j ≤ i + 1) | window=(None, 1)
    inverted | only later keys (j > i): inverted | window=(-1, None)
    inverted with its own | this and later keys (j ≥ i) | window=(0, None)

window | FlashAttention 2.1, ONNX: end | if n != m | and alignment="end", offset=0
    end | causal, aligned at the last key (j ≤ i + m − n) | window=(None, 0)
    strict at the end | only keys before its own, at the end | window=(None, -1)
    one-too-many at the end | one key too many, at the end | window=(None, 1)
    inverted at the end | only later keys, aligned at the end | window=(-1, None)

offset | mlx-vlm#1619 | if left is not None
    ignored | queries are counted from 0, and not from the offset that was meant
     | offset=0

offset | a cache that counts | if window != (None, None)
    one less | positions are too small by one | offset=offset - 1
    one more | positions are too large by one | offset=offset + 1

window | Mistral 7B (2023); too long by one: zml#763 | within the window {}
     | if None not in window
    one more to the left | has one key more to the left | window=(left + 1, right)
    one less to the left | has one key less to the left | window=(left - 1, right)
    one more to the right | has one key more to the right | window=(left, right + 1)
    one less to the right | has one key less to the right | window=(left, right - 1)
    sides exchanged | has its sides exchanged | window=(right, left)
    left alone | has its left side alone | window=(left, 0)
    right alone | has its right side alone | window=(0, right)
    unlimited right | is unlimited to the right | window=(left, None)
    both sides | is as wide to the right | window=(left, left)
    halved | is halved | window=(left // 2, right // 2)

window | sglang#30050 | if left is not None
    ignored | the window is ignored | window=(None, right)

picture | diagonal tiles | if right is not None and not offset and b < n == m | rare
     | for b in (4, *OF)
    blocks of {b} | a query sees all keys of its own block of {b}, later ones too
     | window=(left, None), picture=Rule("blocks", b)

picture | Llama 4 | if not np.ndim(offset) and n > b | for b in (4, *OF)
    chunks of {b} | a query sees only keys of its own chunk of {b}
     | picture=Rule("chunks", b)

empty | a least number for −∞ | if model.hides
    mean | a fully masked row is a mean of all values

allowed | mask dropped
    ignored | the mask is ignored | allowed=None, bias=None

allowed | MultiheadAttention; mlx#2626 | if allowed is not None
    may not attend | True is read as: may not attend | allowed=~allowed
    added | the mask is added as 0 and 1 | allowed=None, bias=allowed.astype(float)

allowed | a mask transposed
     | if np.ndim(allowed) > 1 and allowed.shape[-1] == allowed.shape[-2]
    transposed | queries and keys of the mask are exchanged
     | allowed=allowed.swapaxes(-1, -2)

allowed | a stride of 0 | rare
    of the first batch item | all batch items get the mask of the first
     | **narrowed(model, np.s_[:1])
    of the first head | all heads get the mask of the first
     | **narrowed(model, np.s_[:, :1])

bias | a slip in adding the mask | if bias is not None | rare
    subtracted | the mask is subtracted, not added | bias=-bias
    added twice | the mask is added twice | bias=2.0 * bias
    scaled | the mask is added before the scale: it is scaled with the scores
     | bias=c * bias

masked | a mask on weights | if model.hides | never
    multiplied after | masked weights are set to 0 after the softmax | masked="after"

fill | masked_fill's number | if model.hides | never
     | within hidden scores become {}
    0 for −∞ | 0, not −∞: they are multiplied, or filled with 0 | fill=0.0
    -10 for −∞ | −10, not −∞ | fill=-10.0
    1 for −∞ | 1, not −∞ | fill=1.0
    -100 for −∞ | a low number, not −∞ (−100 fits) | fill=-100.0

fill | masked_fill's number | if model.hides | within hidden scores become {} | rare
     | never | for b in (1000, 10_000, 100_000)
    -{b} for −∞ | a low number, not −∞ (−{b:,} fits) | fill=-{b}.0

dropped_keys | the tail of a loop over blocks | if m > b and m % b | never
     | for b in (16, 32, 64, 128, 256, 8)
    after blocks of {b} | the keys after the last full block of {b} are dropped
     | dropped_keys="j < (m - m % {b} or m)"

dropped_keys | the tail of a loop over blocks | if m % b | rare | never | for b in OF
    but full blocks of {b}
     | only keys of full blocks of {b} are seen: of fewer keys, none
     | dropped_keys="j < m - m % {b}"

dropped_keys | sums not kept from block to block | if m > b | rare | never | for b in OF
    but the first {b} | only the first block of {b} keys is seen
     | dropped_keys="j < {b}"
    but the last {b} | only the last block of {b} keys is seen
     | dropped_keys="j // {b} == (m - 1) // {b}"

dropped_keys | an end too early | if m > 1 | never | within the {} key is never seen
    the last key | last | dropped_keys="j < m - 1"
    the first key | first | dropped_keys="j > 0"

normalized | another axis, or other weights | and sink=None
    queries | softmax runs over the queries
    sigmoid | weights are sigmoids
    relu | weights are the positive scores, divided by their sum
    linear | weights are the scores: there is no softmax

normalized | an axis too few or too many, or a step left out | and sink=None | never
    heads | softmax runs over the heads
    all | softmax runs over all pairs of queries and keys
    no | weights are exp(score), divided by nothing
    no, less the largest | weights are exp(score − largest), divided by nothing
    twice | softmax is taken twice
    hard | the largest score takes all the weight
    key maximum | the largest score of each key is subtracted, not that of each query

normalized | an axis that is missing | if n == m | and sink=None | never
    maximum of another
     | from the scores of key j, the largest of query j is subtracted: an axis is
       missing

normalized | off by one (Miller 2023); sinks of gpt-oss (2025); dropped: vllm#52156
     | if sink is None
    sink | 1 is added to every sum (a sink of 0) | normalized="sink", sink=np.zeros(1)

pad | padding that takes part | if m % b | rare | never | for b in OF
    blocks of {b} | keys of 0 that fill a block of {b} are attended to | pad=b

normalized | online softmax (Milakov and Gimelshein 2018), FlashAttention (2022)
     | if m > b | rare | never | and sink=None | for b in (1, *SIZES)
    all not rescaled, {b} | the running output and the running sum are not rescaled when
     the maximum rises (blocks of {b})
    output not rescaled, {b} | the running output is not rescaled when the maximum rises
     (blocks of {b})
    sum not rescaled, {b} | the running sum is not rescaled when the maximum rises
     (blocks of {b})

normalized | a last block moved back | if m > b | rare | never | and sink=None
     | for b in SIZES
    overlap, {b} | some keys before the last block of {b} are counted twice, as when it
     is moved back to be full

normalized | put together: HKUSTDial/flash-sparse-attention#106 | if m > b[0] | rare
     | never | and sink=None | for b in TOGETHER
    by sum{b[2]} | the largest score of each {b[1]} is subtracted in it, and never made
     up for when the sums are put together
    averaged{b[2]} | each {b[1]} has a softmax of its own, and the outputs are averaged
    added{b[2]} | each {b[1]} has a softmax of its own, and the outputs are added up
    by maximum{b[2]} | each {b[1]} has a softmax of its own, and the outputs are weighed
     by the largest scores, not the sums

roles | names | if as_large(name, s) | never
    qvk | keys and values are exchanged
    qkk | keys are used as values
    qvv | values are used as keys
    kqv | queries and keys are exchanged
    kkv | keys are used as queries
    qqv | queries are used as keys
    qkq | queries are used as values

values | an index that is off | if m > 1 | never
    reversed | the values are read in reversed order
    one later | each weight goes to the value after its own
    one earlier | each weight goes to the value before its own

values | one transpose too many | if n == m > 1 | rare | never
    transposed weights | the weights are transposed before the product with the values
     | values="of transposed weights"

grouping | GQA (Ainslie et al. 2023): repeat | if shared(name, n_heads, n_kv_heads)
    tile | query heads share key heads in turn (tile)

grouping | an index that is off | if shared(name, n_heads, n_kv_heads) | never
    first | all query heads read the first key head
    by count
     | query head h reads key head h ÷ n_kv_heads, not h ÷ (n_heads ÷ n_kv_heads)

input_order | heads shifted | if (n_kv_heads if name[0] in "kv" else n_heads) > 1 | rare
     | never
    not transposed | heads are split off by a reshape without a transpose
    not transposed back | the inputs are read as if tokens came before heads
    queries not transposed | the queries alone are reshaped without a transpose
    keys not transposed | the keys alone are reshaped without a transpose
    values not transposed | the values alone are reshaped without a transpose
    queries one head later | each head reads the queries of the head before it
    queries one head earlier | each head reads the queries of the head after it
    values of reversed heads | the heads of the values are in reversed order

input_order | rows shifted | if m > 1 | rare | never
    keys one later | keys stand one place too late: the first is 0, the last is lost
    keys one earlier | keys stand one place too early: the first is lost, the last is 0
    values one later
     | values stand one place too late: the first is 0, the last is lost
    values one earlier
     | values stand one place too early: the first is lost, the last is 0
    queries one place later | queries stand one place too late: the first is 0

output_order | columns or a row moved | if min(n, d_v) > 1 | never
    columns one later | the output's columns are one too late
    columns one earlier | the output's columns are one too early
    last query 0 | the output of the last query is 0

output_order | heads moved | if n_heads > 1 | never
    heads reversed | the output's heads are in reversed order
    heads one later | each head's output stands where the next head's belongs
    heads one earlier | each head's output stands where the head before it belongs
    heads exchanged in pairs | the outputs of heads 0 and 1, 2 and 3 … are exchanged
    not transposed | the output's heads are put side by side without a transpose
    not transposed back | the output is read as if tokens came before heads

adds | a residual sum inside | never | within the {} are added to the output
     | if (name == "v" or d == d_v) and (name == "q" or n == m)
    q | queries
    k | keys
    v | values

layout | mlx#3585 | if n_heads > 1 and n == m and allowed is None and bias is None
     | rare
    bnhd | heads and tokens are exchanged: arrays are read as (batch, tokens, heads)

lowest | zeroed heads: flash-attention#2082 | rare | never
    no maximum subtracted | the largest score of a row is not subtracted
     | normalized="keys, no maximum"
    −50,000 | the running maximum starts at −50,000, not at −∞ | lowest=-5e4
    0 | the running maximum starts at 0, not at −∞ | lowest=0.0
"""

ALL = tuple(
    read_values(TABLE, {"EPS": EPS, "Rule": Rule, "slopes_of": slopes_of, **globals()})
)
DOMAIN: dict[str, list[Value]] = {}
for _value in ALL:
    DOMAIN.setdefault(_value.field, []).append(_value)
