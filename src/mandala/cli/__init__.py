"""The command `mandala`, with one module for each subcommand.

A subcommand is imported only when it is used or listed, and none loads the compiler or Rich before
it runs, so that `mandala --help` is fast.
"""

from __future__ import annotations

import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

import click

from mandala import __version__
from mandala.games import game_ids
from mandala.text.errors import MandalaError

COMMANDS = (
    "play", "games", "simulate", "arena", "show", "legal", "check", "verify", "bench", "serve",
    "bot", "engine", "protocol-check", "backup", "restore", "doctor",
)  # fmt: skip
INTERRUPTED = "interrupted"


class Commands(click.Group):
    """The subcommands, each in its own module of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if find_spec(_module_of(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(_module_of(cmd_name))
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            known = {name: name for name in names} | {game: f"play {game}" for game in game_ids()}
            close = difflib.get_close_matches(args[0].lower(), known, n=1, cutoff=0.5)
            hint = f"the commands are {', '.join(names)}."
            if close:
                hint = f"did you mean 'mandala {known[close[0]]}'?"
            ctx.fail(f"no such command '{args[0][:40]}': {hint}")
        return super().resolve_command(ctx, args)


def _module_of(command: str) -> str:
    return f"{__name__}.{command.replace('-', '_')}"


@click.command(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="mandala")
@click.pass_context
def mandala(ctx: click.Context) -> None:
    """Play and study Mandala, Patterns and Flowers.

    Without a command, opens the games in your browser.
    """
    if ctx.invoked_subcommand is None:
        from mandala.cli.home import serve_locally

        serve_locally()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit; errors in the input are one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals that cannot encode our symbols
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 for wrong input, 2 for wrong usage.

    `check` exits with 3 when it could not check all records.
    """
    try:
        code = mandala.main(arguments, prog_name="mandala", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "mandala"
        _print_error(f"{error.format_message()} (see {command} --help)")
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except MandalaError as error:
        return _print_error(str(error))
    except (KeyboardInterrupt, click.Abort):
        return _print_error(INTERRUPTED)
    except BrokenPipeError:
        # The reader of stdout has exited, as in `mandala legal FILE | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _print_error(line: str) -> int:
    click.echo(line, err=True)
    return 1
