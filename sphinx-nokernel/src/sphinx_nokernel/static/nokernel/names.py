"""The names that a piece of code uses, makes and changes."""

import ast
import builtins
from dataclasses import dataclass, field

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Methods that change the object they are called on, rather than return a new one.
CHANGERS = {"append", "extend", "insert", "pop", "popitem", "remove", "sort", "reverse"}
CHANGERS |= {"clear", "update", "setdefault", "add", "discard", "fill", "put", "resize"}
GENERATORS = {"default_rng", "Generator", "RandomState"}
# Calls that affect everything after them.
EVERYWHERE = {"set_printoptions", "seterr", "seed", "filterwarnings"}


@dataclass
class Names:
    """The names of the notebook that a cell uses, makes and changes."""

    uses: set = field(default_factory=set)  # before it makes them itself
    makes: set = field(default_factory=set)  # for certain
    changes: set = field(default_factory=set)  # in place, or only possibly
    everywhere: bool = False

    @property
    def touches(self):
        """Every name whose value may differ once the cell has run."""
        return self.makes | self.changes


def names_of(source, generators=frozenset()):
    """Find the names that a cell uses, makes and changes; none if it is not Python."""
    names = Names()
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return names
    for statement in statements:
        used, bound = set(_uses(statement)), set(_binds(statement))
        changed = set(_changes(statement)) | (used & generators)
        if statement is not statements[-1]:
            changed |= set(_worked_on(statement))
        names.uses |= used - names.makes
        names.changes |= changed
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.Try)):
            names.changes |= bound
        else:
            names.makes |= bound
        names.everywhere |= _reaches_everywhere(statement)
    return names


def read(sources, built=None):
    """Find the names of all cells, including random generators.

    For a cell that is not valid Python, perhaps halfway through an edit, its source in
    ``built`` is read, so that cells that build on it report its failure.
    """
    pairs = zip(sources, built or sources, strict=True)
    sources = [source if is_python(source) else before for source, before in pairs]
    generators = frozenset(name for s in sources for name in _generators(s))
    return [names_of(source, generators) for source in sources]


def is_python(source):
    """Say whether a source is valid Python."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _uses(node, local=frozenset()):
    """Yield the global names that a piece of code reads."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in local:
            yield node.id
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    if isinstance(node, SCOPES):
        parameters = {argument.arg for argument in _arguments(node.args)}
        inner = local | parameters | set(_binds(node, inside=True))
    elif isinstance(node, LOOPS):
        inner = local | {n for loop in node.generators for n in _binds(loop.target)}
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        inner = local | set(_binds(node.target))
    else:
        inner = local
    for child in ast.iter_child_nodes(node):
        yield from _uses(child, inner)


def _arguments(args):
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return [argument for argument in every if argument is not None]


def _binds(node, inside=False):
    """Yield the names that a piece of code binds, without those of inner scopes."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not inside:
        yield node.name
        return
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif isinstance(node, (*LOOPS, *SCOPES, ast.ClassDef)) and not inside:
        return
    for child in ast.iter_child_nodes(node):
        yield from _binds(child)


def _changes(statement):
    """Yield the names whose objects a statement changes in place."""
    for node in ast.walk(statement):
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if isinstance(node, (ast.Subscript, ast.Attribute)) and stored:
            yield from _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in CHANGERS:
                yield from _root(node.func)
        elif isinstance(node, ast.AugAssign):
            yield from _root(node.target)
        elif isinstance(node, ast.For):
            yield from _worked_on(node.iter)  # iterating over a generator changes it


def _worked_on(node):
    """Yield the arguments of a call whose result is dropped: it may change them."""
    call = node.value if isinstance(node, ast.Expr) else node
    if isinstance(call, ast.Call) and _called(call) not in dir(builtins):
        for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from _root(given)
            yield from _worked_on(given)


def _root(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return [node.id] if isinstance(node, ast.Name) else []


def _reaches_everywhere(statement):
    if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
        return True
    return isinstance(statement, ast.Expr) and _called(statement.value) in EVERYWHERE


def _called(node):
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None))


def _generators(source):
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return
    for statement in statements:
        if isinstance(statement, ast.Assign) and _called(statement.value) in GENERATORS:
            yield from _binds(statement)
