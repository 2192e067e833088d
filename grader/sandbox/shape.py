"""The shape of a solution: what is left of it without names, comments, layout and order.

Parsing hostile source can crash or exhaust a process, so that is done in a child of its
own: `python -s -P -S -B shape.py`, with `[policy, entry, source]` as JSON on stdin and the
hash on stdout. Standard library only; `linux` lies beside this file.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import os
import sys
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


def shape(source: str, entry: str) -> str | None:
    """A hash of the function `entry` and of what it uses of its module; None without it.

    Names count by their order of appearance; docstrings, annotations and definitions that
    nothing uses do not count.
    """
    found = _definitions(ast.parse(source))
    if entry not in found:
        return None
    order = [entry]  # grows while it is walked: what is used, in order of first use
    lines = []
    for name in order:
        node = _bare(found[name])
        used = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in found]
        order += dict.fromkeys(n for n in used if n not in order)
        lines.append(ast.dump(_Renamed(order).visit(node)))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "backslashreplace")).hexdigest()


def _definitions(module: ast.Module) -> dict[str, ast.stmt]:
    """The functions, classes and constants of a module, by name."""
    found: dict[str, ast.stmt] = {}
    for node in module.body:
        if isinstance(node, Function | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update({t.id: node for t in targets if isinstance(t, ast.Name)})
    return found


def _bare(node: ast.stmt) -> ast.stmt:
    """A copy without docstrings and annotations."""
    node = copy.deepcopy(node)
    for each in ast.walk(node):
        if isinstance(each, Function):
            each.returns = None
            each.body = [statement for statement in each.body if not _is_text(statement)] or [
                ast.Pass()
            ]
        elif isinstance(each, ast.arg):
            each.annotation = None
        elif isinstance(each, ast.AnnAssign):
            each.annotation = ast.Constant(None)
    return node


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


class _Renamed(ast.NodeTransformer):
    """Names become numbers in order of appearance; builtins and attributes keep theirs."""

    def __init__(self, definitions: list[str]) -> None:
        self._known = {name: f"d{number}" for number, name in enumerate(definitions)}
        self._builtin = (
            set(dir(__builtins__)) if not isinstance(__builtins__, dict) else set(__builtins__)
        )

    def _name(self, name: str) -> str:
        if name in self._builtin and name not in self._known:
            return name
        return self._known.setdefault(name, f"v{len(self._known)}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._name(node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._name(node.name)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._name(node.arg)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._name(node.id)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg is not None and node.arg in self._known:
            node.arg = self._known[node.arg]
        return self.generic_visit(node)


def main() -> None:
    """The child: lock, then parse."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    import linux  # type: ignore[import-not-found,unused-ignore]

    sys.path.remove(here)
    policy, entry, source = json.loads(sys.stdin.buffer.read())
    if sys.platform == "linux":
        if policy["uid"]:
            policy["uid"] += os.getpid()
        linux.lock(policy, [])
    try:
        found: Any = shape(source, entry)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = None
    os.write(1, (found or "-").encode())


if __name__ == "__main__":
    main()
