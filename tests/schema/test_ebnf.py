"""EBNF and GBNF text: what it takes, and where its errors are."""

import pytest

import deepinfer_structured as ds
from tests.constraint.support import compiled

GRAMMARS = [
    ('root ::= "a" | ', ["a", ""], ["b"]),
    ('root ::= item ("," item)* # list\nitem ::= [a-c]+\n', ["a,bc"], ["a,", "d"]),
    ("root ::= [^a-c\\n]{2,}", ["xy", "xyz"], ["x", "ax"]),
    ("root ::= .{,2}", ["", "ab"], ["abc", "a\n"]),
    ('root ::= "\\x41\\u00e9\\U0001F600\\n\\"\\\\"', ['Aé😀\n"\\'], ["A"]),
    ('root ::= expr\nexpr ::= expr "+" term | term\nterm ::= "(" expr ")" | [0-9]+', ["1+(2+3)"], ["1+"]),
    ("root ::=\n  a-b\n  | c_d\na-b ::= \"x\"\nc_d ::= 'y'\n".replace("'", '"'), ["x", "y"], ["z"]),
    ("root ::= [-a] [\\]\\-^]", ["-]", "a^"], ["b]"]),
    ('// comment\nroot ::= ("a" "b")? "c"{2}', ["abcc", "cc"], ["acc", "c"]),
]


@pytest.mark.parametrize(("text", "good", "bad"), GRAMMARS, ids=[case[0] for case in GRAMMARS])
def test_takes(text: str, good: list[str], bad: list[str]) -> None:
    constraint = compiled(ds.EBNF(text))
    for sample in good:
        assert constraint.accepts(sample), sample
    for sample in bad:
        assert not constraint.accepts(sample), sample
    assert constraint.accepts(constraint.shortest())


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('root ::= "a', 1, 10),
        ('root ::= "a"\nb ::= x y\n', 2, 7),
        ('root ::= ("a"\n', 2, 1),
        ('root ::= "a"\nroot ::= "b"\n', 2, 1),
        ("root ::= [z-a]", 1, 10),
        ("root ::= 'a'", 1, 10),
        ('root = "a"', 1, 6),
        ('root ::= "a"{3,2}', 1, 13),
        ('root ::= "\\xZZ"', 1, 11),
        ('root ::= "\\ud800"', 1, 11),
        ('start ::= "a"', 1, 1),
        ("", 1, 1),
    ],
)
def test_errors_say_where(text: str, line: int, column: int) -> None:
    with pytest.raises(ds.GrammarSyntaxError) as caught:
        compiled(ds.EBNF(text))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"line {line}:{column}" in str(caught.value)


def test_another_root() -> None:
    assert compiled(ds.EBNF('a ::= "x"\nb ::= "y"', root="b")).accepts("y")


def test_choices() -> None:
    constraint = compiled(ds.Choice(["yes", 'a "b"', "", "漢字"]))
    for text in ("yes", 'a "b"', "", "漢字"):
        assert constraint.accepts(text)
        assert constraint.parse(text) == text
    assert not constraint.accepts("ye")
    for wrong in ("text", [1], 5):
        with pytest.raises(TypeError):
            ds.Choice(wrong)  # type: ignore[arg-type]
