"""Small changes to a reference, one at a time: what a suite must notice.

The usual mutation tools change files in place and run a test command on them; our suites
judge a submission in a sandbox, so a mutant has to be a submission. This mutator changes
the operators, constants, conditions and statements of function bodies, and nothing in
docstrings, annotations, imports or messages.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
PLAIN_STATEMENTS = (ast.AugAssign, ast.Expr, ast.Delete, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed source. `change` names it whatever the line numbers are."""

    line: int
    change: str  # `old code => new code`
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of the function bodies of a module, in source order."""
    tree = ast.parse(source)
    seen = set()
    for number, statement in enumerate(_statements(tree)):
        before = _text(statement)
        for variant in range(_count(statement)):
            changed = copy.deepcopy(tree)
            target = list(_statements(changed))[number]
            after = _mutate(changed, target, variant)
            change = f"{before} => {after}"
            if before != after and change not in seen:
                seen.add(change)
                yield Mutant(
                    statement.lineno, change, ast.unparse(ast.fix_missing_locations(changed))
                )


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements inside functions, docstrings and nested definitions left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for statement in ast.walk(node):
                own = isinstance(statement, ast.stmt) and statement is not node
                if (
                    own
                    and not isinstance(statement, ast.FunctionDef)
                    and not _is_docstring(statement)
                ):
                    yield statement  # type: ignore[misc]


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement itself, not those of the block below it."""
    found: list[ast.AST] = []
    for name, value in ast.iter_fields(statement):
        if name in ("body", "orelse", "handlers", "finalbody", "annotation"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                found.extend(ast.walk(part))
    return found


def _edits(statement: ast.stmt) -> list[tuple[ast.AST, int]]:
    """The nodes of a statement that can be changed, once for each way to change them."""
    edits: list[tuple[ast.AST, int]] = []
    for node in [statement, *_own(statement)]:
        edits.extend((node, way) for way in range(_ways(node)))
    return edits


def _ways(node: ast.AST) -> int:
    match node:
        case ast.Compare(ops=[operator]):
            return len(COMPARE[type(operator)])
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return int(type(operator) in ARITHMETIC) + isinstance(node, ast.AugAssign)
        case ast.BoolOp():
            return 1
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return 1
        case ast.Constant(value=bool()):
            return 1
        case ast.Constant(value=int()):
            return 2
        case ast.Name(id=name):
            return int(name in NAMES)
        case ast.If() | ast.While() | ast.IfExp():
            return 1
        case ast.Continue() | ast.Break() | ast.Delete() | ast.Expr():
            return 1
    return 0


def _count(statement: ast.stmt) -> int:
    return len(_edits(statement))


def _mutate(tree: ast.Module, statement: ast.stmt, variant: int) -> str:
    """Make one change in place; the statement's new text."""
    node, way = _edits(statement)[variant]
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [COMPARE[type(operator)][way]()]
        case ast.AugAssign() if way == 1 or type(node.op) not in ARITHMETIC:
            _replace(tree, node, ast.Pass())
            return "pass"
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            node.op = ARITHMETIC[type(operator)]()
        case ast.BoolOp(op=operator):
            node.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
        case ast.UnaryOp(op=operator, operand=operand):
            _replace(tree, node, operand)
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant(value=int() as value):
            node.value = value + (1, -1)[way]
        case ast.Name(id=name):
            node.id = NAMES[name]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case ast.Continue() | ast.Break():
            other = ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
            _replace(tree, node, other)
            return ast.unparse(other)
        case _:
            _replace(tree, node, ast.Pass())
            return "pass"
    return _text(statement)


def _replace(tree: ast.Module, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(part is old for part in value):
                setattr(parent, name, [new if part is old else part for part in value])


def _text(statement: ast.stmt) -> str:
    """A statement's first line, without the block below it."""
    return ast.unparse(ast.fix_missing_locations(statement)).partition("\n")[0]
