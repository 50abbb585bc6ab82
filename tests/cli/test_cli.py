"""The command: what it prints, its JSON form, its exit codes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from deepinfer_structured.cli import app

CLASS = """
from pydantic import BaseModel

class Reply(BaseModel):
    yes: bool
"""


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "replies.py"
    path.write_text(CLASS)
    return path


@pytest.mark.parametrize("command", ["generate", "compile", "eval", "backends"])
def test_each_command_has_help_and_a_json_form(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert "--json" in shown.output


def test_no_other_command_is_there() -> None:
    assert run("extract").exit_code == 2
    assert run().exit_code == 2


def test_generate_prints_a_repr(toy_folder: Path, module: Path) -> None:
    done = run("generate", "hello", "--schema", f"{module}:Reply", "--model", toy_folder)
    assert done.exit_code == 0
    assert done.stdout in {"Reply(yes=True)\n", "Reply(yes=False)\n"}


def test_generate_reads_files_and_standard_input(toy_folder: Path, tmp_path: Path) -> None:
    document = tmp_path / "a.txt"
    document.write_text("a document")
    done = run("generate", "b", "--file", document, "--choice", "x", "--model", toy_folder)
    assert done.stdout == "x\nx\n"
    assert run("generate", "--regex", "z{3}", "--model", toy_folder, stdin="hello").stdout == "zzz\n"


def test_generate_takes_a_json_schema_and_a_grammar(toy_folder: Path, tmp_path: Path) -> None:
    schema, grammar = tmp_path / "s.json", tmp_path / "g.ebnf"
    schema.write_text('{"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}')
    grammar.write_text('root ::= "p" "q"')
    assert run("generate", "b", "--schema", schema, "--model", toy_folder).stdout == "{'a': 1}\n"
    assert run("generate", "b", "--ebnf", grammar, "--model", toy_folder).stdout == "pq\n"


def test_generate_as_json_has_one_line_a_prompt(toy_folder: Path) -> None:
    done = run("generate", "a", "", "--choice", "x", "--json", "--seed", "4", "--model", toy_folder)
    assert done.exit_code == 1
    good, bad = map(json.loads, done.stdout.splitlines())
    assert (good["value"], good["text"], good["finish_reason"], good["seed"], good["error"]) == (
        "x",
        "x",
        "stop",
        4,
        None,
    )
    assert good["usage"]["output_tokens"] > 0
    assert bad["value"] is None
    assert bad["error"]["type"] == "InvalidPromptError"


def test_a_failed_prompt_goes_to_standard_error(toy_folder: Path) -> None:
    done = run("generate", "", "ok", "--choice", "x", "--model", toy_folder)
    assert (done.exit_code, done.stdout) == (1, "x\n")
    assert "prompt 0: InvalidPromptError" in done.stderr
    assert run("generate", "a", "--regex", "(", "--model", toy_folder).exit_code == 1


def test_wrong_usage_is_code_two(toy_folder: Path, module: Path, tmp_path: Path) -> None:
    model: list[str | Path] = ["--model", toy_folder]
    assert run("generate", "a", "--regex", "x", "--choice", "y", *model).exit_code == 2
    assert run("generate", "a", "--temperature", "-1", *model).exit_code == 2
    assert run("generate", "a", "--schema", f"{module}:Nothing", *model).exit_code == 2
    assert run("generate", "a", "--schema", "no.such.module:X", *model).exit_code == 2
    assert run("generate", "a", "--schema", tmp_path / "missing.json", *model).exit_code == 2
    assert run("generate", "--file", tmp_path / "missing.txt", *model).exit_code == 2
    assert run("generate", "a", "--model", tmp_path / "nowhere").exit_code == 2
    assert run("compile").exit_code == 2


def test_compile_reports_each_keyword(module: Path) -> None:
    done = run("compile", "--schema", f"{module}:Reply", "--json")
    report: dict[str, Any] = json.loads(done.stdout)
    assert {entry["verdict"] for entry in report["entries"]} >= {"enforced"}
    assert report["shortest"] == '{"yes":true}'
    assert report["seconds"] >= 0
    shown = run("compile", "--schema", f"{module}:Reply")
    assert shown.exit_code == 0
    assert "enforced" in shown.stdout
    assert 'shortest text: {"yes":true}' in shown.stdout


def test_compile_refuses_with_code_one() -> None:
    done = run("compile", "--regex", "(", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["type"] == "RegexSyntaxError"


def test_eval_scores_a_file(toy_folder: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    schema = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    rows = [
        {"schema": schema, "document": "d", "answer": {"a": 1}},
        {"schema": schema, "document": "", "answer": '{"a":1}'},
    ]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("eval", lines, "--model", toy_folder, "--json")
    report = json.loads(done.stdout)
    assert (report["examples"], report["fields"]["value"], report["whole"]["value"]) == (2, 0.5, 0.5)
    assert "2 examples" in run("eval", lines, "--model", toy_folder).stdout
    lines.write_text("not json\n")
    assert run("eval", lines, "--model", toy_folder).exit_code == 2


def test_backends_lists_devices() -> None:
    found = json.loads(run("backends", "--json").stdout)
    assert any(entry["name"] == "cpu" and entry["available"] for entry in found)
    assert any(entry["kind"] == "masks" for entry in found)
    assert "cpu" in run("backends").stdout


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom deepinfer_structured.cli import main\nsys.argv[1:] = ['--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'torch', 'xgrammar', 'deepinfer_engine'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.stderr.strip().endswith("[]"), ran.stderr


@pytest.mark.parametrize("option", ["--choice", "--schema", "--grammar"])
def test_an_empty_option_is_not_a_missing_one(toy_folder: Path, option: str) -> None:
    done = run("generate", "a", option, "", "--regex", "x", "--model", toy_folder)
    assert done.exit_code == 2
    assert run("compile", "--regex", "", "--json").exit_code == 0


@pytest.mark.parametrize(
    "source", ["raise RuntimeError('boo')", "def (", "import no_such_module", "X = 3", "class X: pass", "X = [int]"]
)
def test_a_bad_module_is_one_line(tmp_path: Path, source: str) -> None:
    path = tmp_path / "bad_module.py"
    path.write_text(source)
    done = run("compile", "--schema", f"{path}:X")
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("name", [":X", "module.py:", "deep.json", "bad.json", "list.json", "latin.json"])
def test_a_bad_schema_file_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("module.py").touch()
    Path("deep.json").write_text('{"items":' * 5000 + "{}" + "}" * 5000)
    Path("bad.json").write_text('{"type"')
    Path("list.json").write_text("[1]")
    Path("latin.json").write_bytes(b'"\xe9"')
    assert run("compile", "--schema", name).exit_code == 2


def test_a_validator_with_a_bug_does_not_end_a_compile(tmp_path: Path) -> None:
    path = tmp_path / "buggy.py"
    path.write_text(
        "from pydantic import BaseModel, field_validator\n\n"
        "class X(BaseModel):\n    a: bool\n\n    @field_validator('a')\n    def f(cls, v):\n        return {}['k']\n"
    )
    done = run("compile", "--schema", f"{path}:X")
    assert done.exit_code == 0
    assert "unknown" in done.stdout


def test_what_is_no_tokenizer_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    assert run("compile", "--regex", "x", "--tokenizer", tmp_path).exit_code == 2


GOOD = {"schema": {"const": 1}, "document": "d", "answer": 1}


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        "{",
        "3",
        *(json.dumps(GOOD | change) for change in ({"schema": 3}, {"document": 3}, {"answer": "no JSON"})),
    ],
)
def test_a_bad_line_of_an_evaluation_is_named(toy_folder: Path, tmp_path: Path, line: str) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f"{json.dumps(GOOD)}\n\n{line}\n")
    done = run("eval", lines, "--model", toy_folder)
    assert done.exit_code == 2, done.output
    assert "line 3" in done.output
    lines.write_text(json.dumps({"schema": True, "document": "d"}))
    assert "'answer'" in run("eval", lines, "--model", toy_folder).output


def test_a_device_that_is_not_there(toy_folder: Path) -> None:
    assert run("generate", "a", "--device", "tpu", "--model", toy_folder).exit_code == 2
    done = run("generate", "a", "--device", "cuda:99", "--model", toy_folder)
    assert done.exit_code == 1
    assert "no device 'cuda:99'" in done.stderr
