"""The shape of every source file: short, documented, sorted, and without the habits that CONTRIBUTING.md refuses."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.tree import ENGINE, ROOT, SDK, functions, modules, name, parsed, sources

MAX_FILE = 300
MAX_FUNCTION = 60

# Imports inside functions, by file: how many there are and why. This list may only shrink.
DEFERRED_IMPORTS: dict[str, int] = {
    "deepinfer_structured/trainset/extract_lexicon.py": 2,  # word lists that are read once, to make the lexicon
}

# Modules that read environment variables. Empty, and meant to stay so.
ENVIRONMENT_READERS: frozenset[str] = frozenset()

each_source = pytest.mark.parametrize("path", sources(), ids=name)
each_package = pytest.mark.parametrize("package", [SDK, ENGINE], ids=name)


@each_source
def test_a_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(parsed(path)), f"{name(path)} has no module docstring"


@pytest.mark.parametrize("path", [*sources(), *modules(ROOT / "tests"), *modules(ROOT / "examples")], ids=name)
def test_a_file_is_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_FILE, f"{name(path)} has {lines} lines, {MAX_FILE} are allowed: split it by idea"


@each_source
def test_a_function_fits_a_screen(path: Path) -> None:
    long = {node.name: lines for node in functions(path) if (lines := length(node)) > MAX_FUNCTION}
    assert not long, f"{name(path)}: {long} lines, {MAX_FUNCTION} are allowed"


def length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


@each_source
def test_dunder_all_is_sorted_and_true(path: Path) -> None:
    exported = public_names(path)
    assert exported == sorted(exported, key=export_order), f"{name(path)}: __all__ is not sorted"
    assert len(exported) == len(set(exported)), f"{name(path)}: __all__ repeats a name"
    unknown = set(exported) - set(bound_names(path))
    has_getattr = any(node.name == "__getattr__" for node in functions(path))
    assert has_getattr or not unknown, f"{name(path)}: __all__ names what is not there: {sorted(unknown)}"


def public_names(path: Path) -> list[str]:
    for node in parsed(path).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == "__all__":
            value = getattr(node, "value", None)
            return list(ast.literal_eval(value)) if value is not None else []
    return []


def export_order(exported: str) -> tuple[int, str]:
    """Constants, then classes, then functions: the order that `ruff check --fix` writes (RUF022)."""
    return (0 if exported.isupper() else 1 if exported[:1].isupper() else 2), exported


def bound_names(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@each_source
def test_a_module_is_named_after_its_subject(path: Path) -> None:
    vague = {"utils", "util", "common", "helpers", "helper", "misc"} & set(path.relative_to(ROOT).with_suffix("").parts)
    assert not vague, f"{name(path)}: {vague} says nothing; name what is inside"


@pytest.mark.parametrize("path", modules(SDK), ids=name)
def test_the_sdk_does_not_assert(path: Path) -> None:
    lines = [node.lineno for node in ast.walk(parsed(path)) if isinstance(node, ast.Assert)]
    assert not lines, f"{name(path)}: assert at lines {lines}; raise a class of errors.py, for asserts vanish under -O"


def test_imports_stand_at_the_top() -> None:
    found = Counter(
        name(path)
        for path in sources()
        for function in functions(path)
        for node in function.body
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    )
    assert dict(found) == DEFERRED_IMPORTS, "imports inside functions differ from the allowlist, which may only shrink"


@each_source
def test_no_environment_variable_is_read(path: Path) -> None:
    if name(path) in ENVIRONMENT_READERS:
        return
    readers = {"environ", "environb", "getenv", "getenvb"}
    lines = [
        node.lineno
        for node in ast.walk(parsed(path))
        if (isinstance(node, ast.Attribute) and node.attr in readers)
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and readers & {a.name for a in node.names})
    ]
    assert not lines, f"{name(path)}: reads the environment at lines {lines}; take an argument"


@each_package
def test_the_error_tree_is_drawn(package: Path) -> None:
    path = package / "errors.py"
    defined = {node.name: base_of(node) for node in parsed(path).body if isinstance(node, ast.ClassDef)}
    drawn = drawn_tree(ast.get_docstring(parsed(path)) or "")
    errors = {cls: base for cls, base in defined.items() if cls.endswith("Error")}
    assert {cls: base if base in defined else None for cls, base in errors.items()} == drawn


def base_of(node: ast.ClassDef) -> str | None:
    """The first base: the branch of the tree that the class hangs on."""
    base = node.bases[0] if node.bases else None
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.id if isinstance(base, ast.Name) else None


def drawn_tree(docstring: str) -> dict[str, str | None]:
    """Each error of a tree drawn with box characters or indentation, with its parent; `·` joins leaves on a line."""
    parents: dict[str, str | None] = {}
    stack: list[tuple[int, str]] = []
    for line in docstring.splitlines():
        entry = re.match(r"[\s│├└─┬|+`-]*(?=[A-Z]\w*Error\b)", line)
        if entry is None:
            continue
        depth = entry.end()
        names = re.match(r"\w+(?:\s*[·,]\s*\w+Error\b)*", line[depth:])
        stack = [(column, parent) for column, parent in stack if column < depth]
        for leaf in re.findall(r"\w+", names.group() if names else ""):
            parents[leaf] = stack[-1][1] if stack else None
        stack.append((depth, leaf))
    return parents


@each_package
def test_errors_have_one_root(package: Path) -> None:
    tree = drawn_tree(ast.get_docstring(parsed(package / "errors.py")) or "")
    roots = [error for error, parent in tree.items() if parent is None]
    assert len(roots) == 1, f"{name(package)}/errors.py: one root, not {roots}"
