"""deepinfer-structured: generate, compile, eval and backends from a shell; thin, everything it does is also a function.

Exit codes: 0 all well, 1 something failed to generate or compile, 2 wrong usage.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import deepinfer_structured
from deepinfer_structured.cli.schema import Given, read_schema, read_stdin, read_text
from deepinfer_structured.errors import SchemaError, StructuredError
from deepinfer_structured.evaluate import Report, Tally, evaluate_examples
from deepinfer_structured.evaluate.splits import read_examples
from deepinfer_structured.results import Completion

__all__ = ["app", "main"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Prompts and types in, typed objects out.")

SchemaOption = Annotated[
    str | None, typer.Option("--schema", help="module.py:Class, package.module:Class or a .json file")
]
RegexOption = Annotated[str | None, typer.Option("--regex", help="a Python regular expression that the text matches")]
ChoiceOption = Annotated[list[str] | None, typer.Option("--choice", help="one of these texts; repeat it")]
EbnfOption = Annotated[Path | None, typer.Option("--ebnf", help="a file with a grammar whose rule is `root`")]
GrammarOption = Annotated[str | None, typer.Option("--grammar", help="a bundled grammar by its name")]
ModelOption = Annotated[str, typer.Option(help="a bundled checkpoint or the folder of another")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON")]


@app.command()
def generate(
    prompts: Annotated[list[str] | None, typer.Argument(help="prompts; without any, standard input is one")] = None,
    file: Annotated[list[Path] | None, typer.Option(help="a file that is one prompt; repeat it")] = None,
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    ebnf: EbnfOption = None,
    grammar: GrammarOption = None,
    model: ModelOption = "nano",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda")] = "auto",
    max_draft: Annotated[int, typer.Option(help="most draft tokens a step; 0 is no drafting")] = 5,
    max_tokens: Annotated[int, typer.Option(help="most tokens an answer")] = 256,
    temperature: Annotated[float, typer.Option(help="0 is greedy")] = 0.0,
    seed: Annotated[int | None, typer.Option(help="of the noise, where there is any")] = None,
    instruction: Annotated[str | None, typer.Option(help="what to do, before the schema")] = None,
    timeout: Annotated[float | None, typer.Option(help="seconds until unfinished prompts fail")] = None,
    as_json: JsonOption = False,
) -> None:
    """Generate a value for each prompt: its repr, its text, or with --json one object a line."""
    texts = [*(prompts or ()), *map(read_text, file or ())] or [read_stdin()]
    wanted = read_schema(Given(schema=schema, regex=regex, choice=choice, ebnf=ebnf, grammar=grammar))
    with _opened(model, device=device, max_draft=max_draft) as llm:
        try:
            completions = llm.generate(
                texts,
                wanted,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
                instruction=instruction,
                timeout=timeout,
                details=True,
                on_error="return",
            )
        except (TypeError, ValueError) as error:
            raise typer.BadParameter(str(error)) from error
    for index, completion in enumerate(completions):
        _show(index, completion, as_json=as_json)
    raise typer.Exit(int(any(completion.error for completion in completions)))


@app.command(name="compile")
def compile_command(
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    ebnf: EbnfOption = None,
    grammar: GrammarOption = None,
    tokenizer: Annotated[str, typer.Option(help="a bundled checkpoint, a folder or a tokenizer.json")] = "nano",
    as_json: JsonOption = False,
) -> None:
    """Compile a schema and report what became of each keyword. Loads no weights."""
    wanted = read_schema(Given(schema=schema, regex=regex, choice=choice, ebnf=ebnf, grammar=grammar))
    if wanted is None:
        raise typer.BadParameter("give one of --schema, --regex, --choice, --ebnf and --grammar")
    started = time.perf_counter()
    try:
        constraint = deepinfer_structured.compile(wanted, tokenizer=tokenizer)
    except StructuredError as error:
        _fail(error, as_json=as_json)
    except (TypeError, ValueError, FileNotFoundError) as error:
        raise typer.BadParameter(str(error)) from error
    seconds = time.perf_counter() - started
    shortest: str | None = None
    with contextlib.suppress(SchemaError):  # short texts fail a check, or are very long
        shortest = constraint.shortest()
    if as_json:
        entries = [dataclasses.asdict(entry) for entry in constraint.report]
        typer.echo(json.dumps({"entries": entries, "shortest": shortest, "seconds": seconds}, ensure_ascii=False))
        return
    table = Table("pointer", "keyword", "verdict", "note")
    for entry in constraint.report:
        table.add_row(*map(escape, (entry.pointer or "/", entry.keyword, entry.verdict, entry.note)))
    Console().print(table)
    typer.echo(f"shortest text: {shortest if shortest is not None else 'unknown'}")


@app.command(name="eval")
def eval_command(
    file: Annotated[Path, typer.Argument(help="JSON lines, gzipped or not: schema, document, answer", exists=True)],
    model: ModelOption = "nano",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda")] = "auto",
    limit: Annotated[int | None, typer.Option(min=1, help="only the first so many examples")] = None,
    max_tokens: Annotated[int, typer.Option(help="most tokens an answer")] = 512,
    as_json: JsonOption = False,
) -> None:
    """Score a model on a file of documents with their schemas and right answers."""
    with _opened(model, device=device) as llm:

        def answers(prompts: list[str], schemas: list[Any], *, instruction: str) -> list[Any]:
            rows = llm.generate(
                prompts, schemas, instruction=instruction, max_tokens=max_tokens, details=True, on_error="return"
            )
            return [row.value for row in rows]

        try:
            report = evaluate_examples(answers, read_examples(file)[:limit], split=file.name)
        except (TypeError, ValueError, OSError) as error:
            raise typer.BadParameter(f"{file}: {error}") from error
    typer.echo(json.dumps(_report(report)) if as_json else "\n".join(report.lines()))


@app.command(name="backends")
def backends_command(as_json: JsonOption = False) -> None:
    """Show what this machine can run: devices, mask engines, bundled checkpoints."""
    found = deepinfer_structured.backends()
    if as_json:
        typer.echo(json.dumps([dataclasses.asdict(backend) for backend in found]))
        return
    table = Table("kind", "name", "here", "detail")
    for backend in found:
        table.add_row(backend.kind, backend.name, "yes" if backend.available else "no", escape(backend.detail))
    Console().print(table)


def main() -> None:
    """The console script."""
    app()


def _opened(model: str, **options: Any) -> deepinfer_structured.LLM:
    try:
        return deepinfer_structured.LLM(model, **options)
    except (FileNotFoundError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    except StructuredError as error:
        _fail(error, as_json=False)


def _show(index: int, completion: Completion[Any], *, as_json: bool) -> None:
    error = completion.error
    if as_json:
        typer.echo(
            to_json(
                {
                    "value": completion.value,
                    "text": completion.text,
                    "finish_reason": completion.finish_reason,
                    "seed": completion.seed,
                    "usage": dataclasses.asdict(completion.usage),
                    "error": error and {"type": type(error).__name__, "message": str(error)},
                }
            ).decode()
        )
    elif error is None:
        typer.echo(completion.value if isinstance(completion.value, str) else repr(completion.value))
    else:
        typer.echo(f"prompt {index}: {type(error).__name__}: {error}", err=True)


def _report(report: Report) -> dict[str, Any]:
    groups = {"kind": report.by_kind, "language": report.by_language, "layout": report.by_layout}
    parts = {name: {key: _tally(tally) for key, tally in sorted(group.items())} for name, group in groups.items()}
    return {"split": report.split, **_tally(report.all), **parts}


def _tally(tally: Tally) -> dict[str, Any]:
    shares = {"fields": tally.fields, "whole": tally.whole}
    return {"examples": tally.examples, **{name: dataclasses.asdict(share) for name, share in shares.items()}}


def _fail(error: StructuredError, *, as_json: bool) -> NoReturn:
    """Say what went wrong and leave with code 1."""
    if as_json:
        typer.echo(json.dumps({"error": {"type": type(error).__name__, "message": str(error)}}, ensure_ascii=False))
    typer.echo(f"{type(error).__name__}: {error}", err=True)
    raise typer.Exit(1)
