"""`mandala bench`: measures the speed of the rules on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mandala.games import game_ids

if TYPE_CHECKING:
    from rich.table import Table


@click.command()
@click.argument("game", required=False, type=click.Choice(game_ids()), metavar="[GAME]")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(game: str | None, as_json: bool) -> None:
    """Measure the speed of random play, for GAME or for all games.

    Prints decisions per second of CPU time on one thread, the same for an equivalent C program,
    and the relative cost of a decision through the batch API. Takes about a minute.
    """
    import json

    from rich.console import Console

    from mandala.core import benchmark

    figures = _measure(game)
    if as_json:
        click.echo(json.dumps(figures, indent=2, ensure_ascii=False))
        return
    console = Console()
    console.print(_machine_line(figures["machine"]), highlight=False)
    console.print(_table(figures, benchmark.cases_of(game), benchmark.CASES))


def _measure(game: str | None) -> dict[str, dict[str, Any]]:
    """Run the benchmark with a progress bar."""
    from rich.console import Console
    from rich.progress import Progress

    from mandala.core import benchmark

    names = benchmark.cases_of(game)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("compiling", total=len(names) * benchmark.RUNS)

        def show(name: str, done: int, runs: int) -> None:
            bar.update(task, description=name, completed=names.index(name) * runs + done)

        return benchmark.measure(game, progress=show)


def _machine_line(machine: dict[str, Any]) -> str:
    versions = f"Python {machine['python']}, Numba {machine['numba']}, NumPy {machine['numpy']}"
    compiler = f"\nC: {machine['cc']}" if machine["cc"] else "\nC"
    return (
        f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']}, {machine['system']}\n"
        f"{versions}{compiler}, {machine['reference']}"
    )


def _table(
    figures: dict[str, dict[str, Any]], names: list[str], cases: dict[str, tuple[str, int]]
) -> Table:
    from rich.table import Table

    table = Table("game", "seats", title="decisions in random play, one thread")
    for title in ("per second", "in C", "ratio", "batch cost", "per game"):
        table.add_column(title, justify="right")
    for name in names:
        each = figures[name]
        table.add_row(
            cases[name][0],
            str(cases[name][1]),
            f"{each['decisions_per_second']:,.0f}",
            _or_dash(each["reference_decisions_per_second"], ",.0f"),
            _or_dash(each["reference_ratio"], ".2f"),
            f"{each['batch_cost']:.2f}",
            f"{each['decisions_per_game']:.1f}",
        )
    return table


def _or_dash(figure: float | None, form: str) -> str:
    return format(figure, form) if figure else "–"
