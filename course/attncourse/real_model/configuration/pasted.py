"""The answer to a text that a reader pasted. Needs Python alone."""

import json

from attnconfig import read
from attncourse.real_model.configuration.described import describe


def answer(text: str) -> str:
    """Read a pasted ``config.json``.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        JSON: what `describe` says, or under "error" why nothing can be said.
    """
    try:
        return json.dumps(describe(read(json.loads(text))))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return json.dumps({"error": f"This is not JSON ({error.msg}, {where})."})
    except ValueError as error:
        return json.dumps({"error": str(error)})
