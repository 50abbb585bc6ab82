"""The bundled grammars take what they say and nothing beside it."""

import pytest

import deepinfer_structured as ds
from deepinfer_structured import library
from tests.constraint.support import compiled

GOOD = {
    "json": ['{"a":[1,-2.5e3,"x\\n",null]}', "[]", "true", '"é"', "0"],
    "iso8601_date": ["2024-02-29", "2000-02-29", "0001-01-01", "1999-12-31", "2023-04-30"],
    "semver": ["1.0.0", "0.10.3-rc.1+build.5", "1.2.3-0a", "1.0.0--"],
    "csv_row": ["a,b,c", ",,", '"x, ""y""",2', "", "é"],
    "email": ["a@b.cc", "first.last+tag@mail-host.example.org"],
    "sql_select": [
        "SELECT * FROM t",
        (
            "SELECT a.b, COUNT(*) AS n FROM t AS x LEFT JOIN u ON x.id = u.id WHERE a > 1.5 AND b IS NOT NULL "
            "GROUP BY a.b ORDER BY n DESC LIMIT 10;"
        ),
    ],
}
BAD = {
    "json": ["{a:1}", "[1,]", "01", '"\n"', "", "tru", "[1, 2]"],
    "iso8601_date": ["2023-02-29", "1900-02-29", "2024-13-01", "2024-04-31", "0000-01-01", "24-01-01"],
    "semver": ["1.0", "01.0.0", "1.0.0-01", "1.0.0-", "v1.0.0"],
    "csv_row": ['"x', 'a"b', "a\nb", '"a"b'],
    "email": ["a@b", "@b.cc", "a b@c.dd", "a@b.cc ", "a..b@c.dd"],
    "sql_select": ["SELECT FROM t", "DELETE FROM t", "SELECT * FROM t WHERE", "SELECT * FROM t; DROP TABLE t"],
}


@pytest.mark.parametrize("name", library.names())
def test_accepts_and_rejects(name: str) -> None:
    constraint = compiled(ds.Grammar(name))
    for text in GOOD[name]:
        assert constraint.accepts(text), text
    for text in BAD[name]:
        assert not constraint.accepts(text), text
    assert constraint.accepts(constraint.shortest())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ds.GrammarSyntaxError, match="iso8601_date"):
        compiled(ds.Grammar("jsn"))
