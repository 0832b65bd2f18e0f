"""A game between a person at a terminal and bots on the other seats."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from mandala.bots import players, search
from mandala.bots.levels import STRONGEST
from mandala.bots.players import THREADS, Budget
from mandala.cli.typed_commands import command_of, format_moves, move_of, sorted_moves
from mandala.core.narration import Step, narrate, steps_between
from mandala.core.position import Position, new
from mandala.core.render import render
from mandala.games import all_games, find_game
from mandala.games.render import grid
from mandala.text import catalogue as texts
from mandala.text.errors import InvalidMove, MandalaError

HINT_PLAYER = STRONGEST
BOT_BUDGET = Budget(threads=THREADS)
DEFAULT_OPPONENT = "greedy"
HUMAN = "human"  # the person's name in a record


def read_line(prompt: str) -> str | None:
    """Read a line from the terminal; return None at the end of input."""
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        return None


def ask_game(language: str) -> str | None:
    """Ask which game to play; return None if the person leaves."""
    console = Console(highlight=False)
    games = all_games()
    for number, game in enumerate(games, start=1):
        name, about = game.text("name", language), game.text("about", language)
        console.print(Text(f"  {number}  {name:<9} ").append(about, style="dim"))
    question = texts.fill("play", "which-game", {"game": games[0].text("name", language)}, language)
    while (answer := read_line(f"{question} ")) is not None:
        chosen = answer.lower() or games[0].id
        if chosen.isdecimal() and 1 <= int(chosen) <= len(games):
            return games[int(chosen) - 1].id
        found = [game.id for game in games if game.id.startswith(chosen)]
        if len(found) == 1:
            return found[0]
        console.print(texts.fill("play", "no-such-game", {"most": len(games)}, language))
    return None


class Session:
    """The state of a terminal game: the position, steps not yet shown, and earlier decisions."""

    def __init__(
        self, game: str, seats: int, seat: int, against: str, seed: int, language: str
    ) -> None:
        find_game(game).make_ready_in_background()
        self.game, self.seat, self.seed, self.language = game, seat, seed, language
        self.against = against
        self.players = {
            other: players.make_player(against, seed + other)
            for other in range(1, seats + 1)
            if other != seat
        }
        self.generator = np.random.default_rng([seed, 1])
        self.position = new(game, seats=seats, seed=seed)
        self.decisions: list[Position] = []  # positions before the person's moves, for undo
        self.unshown: list[Step] = []
        self.saved_to: set[Path] = set()
        self.takebacks = 0
        self.is_saved = True
        self.was_warned = False  # that the game is not saved
        self.console = Console(highlight=False)

    def say(self, code: str, **parts: object) -> None:
        """Print a sentence from the catalogue."""
        self.console.print(Text(texts.fill("play", code, parts, self.language)))

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self.say(
            "welcome",
            game=find_game(self.game).text("name", self.language),
            seat=self.seat,
            against=", ".join(player.name for player in self.players.values()),
        )
        if self.against.startswith("search:"):
            self.warm_up()
        goes_on = True
        while goes_on:
            self.play_bots()
            self.show()
            goes_on = self.ask_after_game() if self.position.is_over else self.ask()
        command = f"mandala play {self.game} --seats {self.position.seats}"
        self.say("bye")
        command += f" --seat {self.seat} --seed {self.seed}"
        if self.against != DEFAULT_OPPONENT:
            command += f" --against {self.against}"
        self.console.print(f"  {command}", soft_wrap=True)

    def warm_up(self) -> None:
        """Compile or load the search, with a message if it must be compiled."""
        if not search.is_warm(self.game):
            self.say("compiling")
        search.warm_up(self.game)

    # The game

    def advance(self, move: str) -> None:
        """Make a move and the chance moves that follow, and keep the steps to be shown."""
        dealt = self.position.play(move, self.generator)
        position, boards = self.position, []
        for text in dealt.moves[len(position.moves) :]:
            position = position.play(text)
            boards.append(position)
        # The final position shows everything, but the narration up to it is the seat's own.
        views = [board.view(self.seat) for board in boards]
        self.unshown += steps_between(self.position.view(self.seat), views)
        self.position = dealt
        self.is_saved = False

    def play_bots(self) -> None:
        """Play the bots' moves until the person is to move or the game is over."""
        while (actor := self.position.actor) in self.players:
            assert actor is not None
            self.advance(self.players[actor].choose(self.position.view(actor), BOT_BUDGET))

    # Output

    def show(self) -> None:
        """Print the narration since the last time, the board, and the legal moves or the result."""
        self.console.print()
        if sentences := narrate(self.unshown, self.seat, self.language):
            lines = grid(1, None)
            for sentence in sentences:
                lines.add_row("•", Text(sentence.text))
            self.console.print(lines)
            self.console.print()
        self.unshown = []
        self.console.print(render(self.position.view(self.seat), self.language))
        self.console.print()
        if self.position.is_over:
            self.show_result()
        else:
            self.list_moves()

    def list_moves(self) -> None:
        """Print the legal moves with their numbers."""
        self.say("your-moves")
        self.console.print(format_moves(self.game, sorted_moves(self.position), self.language))

    def show_result(self) -> None:
        """Print who won, with the scores."""
        winners, scores = self.position.winners, self.position.scores
        points = ":".join(map(str, scores))
        if self.seat not in winners:
            self.say("lost", points=points, seat=", ".join(map(str, winners)))
        else:
            self.say("won" if len(winners) == 1 else "drawn", points=points)

    # Input

    def ask(self) -> bool:
        """Read commands until a move is made or taken back; return False if the person leaves."""
        while (line := read_line(texts.word("play", "prompt", self.language))) is not None:
            command, rest = command_of(line)
            if command == "quit":
                if self.is_saved or self.was_warned:
                    return False
                self.was_warned = True
                self.say("not-saved")
                continue
            self.was_warned = False
            if command == "undo":
                if self.undo():
                    return True
            elif command is not None:
                self.run_command(command, rest)
            elif line and self.try_move(line):
                return True
        return False

    def ask_after_game(self) -> bool:
        """Read commands after the game; return True after an undo, False if the person leaves."""
        while (line := read_line(texts.word("play", "end-prompt", self.language))) is not None:
            command, rest = command_of(line)
            if command == "undo" and self.undo():
                return True
            if command == "save":
                self.save(rest)
            elif not line or command == "quit":
                return False
        return False

    def run_command(self, command: str, rest: str) -> None:
        """Run a command that does not change the game."""
        if command == "help":
            self.console.print(Text(find_game(self.game).text("help", self.language)))
            self.say("help")
        elif command == "moves":
            self.list_moves()
        elif command == "why":
            self.explain(rest)
        elif command == "hint":
            self.hint()
        else:
            self.save(rest)

    def try_move(self, typed: str) -> bool:
        """Make a typed move and return True, or print why it is not possible."""
        legal = sorted_moves(self.position)
        if typed.isdecimal():
            if not 1 <= int(typed[:6]) <= len(legal):
                self.say("no-number", number=typed[:6])
                return False
            move = legal[int(typed) - 1]
        else:
            try:
                move = move_of(self.position, typed)
            except InvalidMove as error:
                hint = texts.word("play", "ask-help", self.language)
                self.console.print(Text(f"{error.say(self.language)}. {hint}"))
                return False
        if move not in legal:
            self.refuse(move)
            return False
        self.decisions.append(self.position)
        self.advance(move)
        return True

    def refuse(self, move: str) -> None:
        """Print why a move is not legal, and the legal moves of the same kind."""
        reason = self.position.view(self.seat).why_not(move)
        assert reason is not None, "an illegal move has a reason"
        parts = {"move": move, "reason": reason.say(self.language)}
        legal = sorted_moves(self.position)
        same_kind = [each for each in legal if each[0] == move[0]] or legal
        for sentence in (
            texts.say("illegal-move", parts, self.language) + ".",
            texts.say("legal-are", {"moves": same_kind}, self.language),
        ):
            self.console.print(Text(sentence))

    def explain(self, typed: str) -> None:
        """Run `why MOVE`: print why a move is not legal."""
        if not typed:
            self.say("why-what", move=self.position.rules.moves.texts[0])
            return
        try:
            move = move_of(self.position, typed)
        except MandalaError as error:
            self.console.print(Text(f"{error.say(self.language)}."))
            return
        if move in self.position.legal:
            self.say("is-legal", move=move)
        else:
            self.refuse(move)

    def hint(self) -> None:
        """Print the move of a strong player, chosen from the person's own view."""
        self.warm_up()
        adviser = players.make_player(HINT_PLAYER, self.seed)
        self.say("hint", move=adviser.choose(self.position.view(self.seat), BOT_BUDGET))

    def undo(self) -> bool:
        """Go back to the person's previous decision; return False if there is none."""
        if not self.decisions:
            self.say("nothing-to-undo")
            return False
        self.position = self.decisions.pop()
        self.unshown = []
        self.takebacks += 1
        self.is_saved = False
        self.say("undone")
        return True

    def save(self, name: str) -> None:
        """Write the game so far to a file as a record."""
        if not name:
            self.say("save-what")
            return
        path = Path(name).expanduser()
        mode = "w" if path in self.saved_to else "x"
        names = {seat: player.name for seat, player in self.players.items()} | {self.seat: HUMAN}
        tags = {f"Seat{seat}": names[seat] for seat in sorted(names)}
        tags["Date"] = date.today().isoformat()
        if self.takebacks:
            tags["Takebacks"] = str(self.takebacks)
        try:
            with path.open(mode, encoding="utf-8", newline="\n") as file:
                file.write(str(self.position.record(tags)))
        except FileExistsError:
            self.say("file-exists", file=name)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.console.print(Text(f"{name}: {reason}"))
        else:
            self.saved_to.add(path)
            self.is_saved = True
            self.say("saved", file=name)
