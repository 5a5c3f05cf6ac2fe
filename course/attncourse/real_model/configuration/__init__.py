"""Read the ``config.json`` of a published decoder, or say why that cannot be done.

What a family is made of stands in two tables: ``families.toml``, and ``defaults.json``
from transformers' own configuration classes. `make parity` builds the models with
transformers, without memory, and compares; nothing is guessed from a name.
"""

from attncourse.real_model.configuration.calls import call
from attncourse.real_model.configuration.costs import Cost, decode, prefill
from attncourse.real_model.configuration.kinds import layer_kinds
from attncourse.real_model.configuration.layers import Layer, around, layer
from attncourse.real_model.configuration.meanings import explain
from attncourse.real_model.configuration.model import Configuration
from attncourse.real_model.configuration.parts import Part
from attncourse.real_model.configuration.reading import settings
from attncourse.real_model.configuration.settled import missing_network, settle

__all__ = [
    "Configuration",
    "Cost",
    "Layer",
    "Part",
    "call",
    "decode",
    "explain",
    "prefill",
    "read",
]


def read(config):
    """Read a configuration: what it computes and what it costs.

    Parameters
    ----------
    config : dict
        The lines of a ``config.json``. Of a model that sees or hears as well, the
        language model in ``text_config`` is read, and nothing else is counted.

    Returns
    -------
    Configuration
        ``n_parameters``, ``n_active_parameters`` and ``cache_bytes(n_tokens,
        n_bytes=2)`` are numbers, or None; ``refused`` maps the name of each that is
        None to a sentence that names the key. A key that is not known, and so might
        change a total, refuses that total. Parameters are those that transformers'
        class learns: tied matrices once, no layers that guess further tokens. The
        cache holds keys and values, at most a window of them where there is one; of
        latent attention the latent row and the rotated key; of linear and recurrent
        layers their state.

    Raises
    ------
    ValueError
        If this is no configuration of a model at all.

    Examples
    --------
    >>> gpt2 = {"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12}
    >>> gpt2["vocab_size"] = 50257
    >>> read(gpt2).n_parameters
    124439808
    >>> read(gpt2 | {"n_registers": 4}).refused["n_parameters"]
    'n_registers = 4: not known here, and it could change this total.'
    """
    name, s, problems = settings(config)
    found = layer_kinds(s, problems) if vars(s) and settle(s, problems) else None
    if found is None:  # then there is no model to count, whatever the reason
        problems.add(next(iter(problems.values())))
        return Configuration(name, refused=dict(problems))
    if len(problems) == len(problems.TOTALS):  # what they change may be any of it
        s.no_call = s.no_call or "a line of this file is not understood here"
    layers = tuple(layer(s, i, kind) for i, kind in enumerate(found))
    missing_network(s, layers, problems)
    return Configuration(name, layers, tuple(around(s)), dict(problems))
