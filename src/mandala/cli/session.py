"""One game between a person at a terminal and players on the other seats."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from mandala.bots import players, search
from mandala.bots.levels import STRONGEST
from mandala.bots.players import THREADS, Budget
from mandala.cli.commands import command_of, in_order, listed, move_of
from mandala.core.narration import Step, narrate, steps_between
from mandala.core.position import Position, new
from mandala.core.render import render
from mandala.games import all_games, find_game
from mandala.games.render import grid
from mandala.text import catalogue as texts
from mandala.text.errors import InvalidMove, MandalaError

HINTS_BY = STRONGEST  # who is asked for a hint
AT_LEISURE = Budget(threads=THREADS)
DEFAULT_RIVAL = "greedy"  # whom a person meets who asks for nobody else
HUMAN = "human"  # the name of the person in a record


def read_line(prompt: str) -> str | None:
    """What the person types; None when there is no more to come."""
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        return None


def ask_game(language: str) -> str | None:
    """Which game to play: None when the person leaves."""
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
    """The game, what the person has not been told yet, and what can be taken back."""

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
        self.decisions: list[Position] = []  # where the person decided, to go back to
        self.untold: list[Step] = []
        self.saved_to: set[Path] = set()
        self.takebacks = 0
        self.is_saved = True
        self.warned = False
        self.console = Console(highlight=False)

    def say(self, code: str, **parts: object) -> None:
        """Print a sentence of the catalogue."""
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
            self.let_others_play()
            self.show()
            goes_on = self.ask_at_the_end() if self.position.is_over else self.ask()
        command = f"mandala play {self.game} --seats {self.position.seats}"
        self.say("bye")
        command += f" --seat {self.seat} --seed {self.seed}"
        if self.against != DEFAULT_RIVAL:
            command += f" --against {self.against}"
        self.console.print(f"  {command}", soft_wrap=True)

    def warm_up(self) -> None:
        """Compile the search before anybody waits for its move, and say so."""
        if not search.is_warm(self.game):
            self.say("compiling")
        search.warm_up(self.game)

    # The game

    def advance(self, move: str) -> None:
        """Make a move, let chance play on, and remember all of it to be told."""
        dealt = self.position.play(move, self.generator)
        position, boards = self.position, []
        for text in dealt.moves[len(position.moves) :]:
            position = position.play(text)
            boards.append(position)
        # The end shows everything; the story on the way there is still the seat's own.
        seen = [board.view(self.seat) for board in boards]
        self.untold += steps_between(self.position.view(self.seat), seen)
        self.position = dealt
        self.is_saved = False

    def let_others_play(self) -> None:
        """The players on the other seats move until the person must decide."""
        while (actor := self.position.actor) in self.players:
            assert actor is not None
            self.advance(self.players[actor].choose(self.position.view(actor), AT_LEISURE))

    # What the person sees

    def show(self) -> None:
        """What happened, the board, and what can be done."""
        self.console.print()
        if sentences := narrate(self.untold, self.seat, self.language):
            lines = grid(1, None)
            for sentence in sentences:
                lines.add_row("•", Text(sentence.text))
            self.console.print(lines)
            self.console.print()
        self.untold = []
        self.console.print(render(self.position.view(self.seat), self.language))
        self.console.print()
        if self.position.is_over:
            self.tell_result()
        else:
            self.list_moves()

    def list_moves(self) -> None:
        """The legal moves in groups, each with its number."""
        self.say("your-moves")
        self.console.print(listed(self.game, in_order(self.position), self.language))

    def tell_result(self) -> None:
        """Who won, with which points."""
        winners, scores = self.position.winners, self.position.scores
        points = ":".join(map(str, scores))
        if self.seat not in winners:
            self.say("lost", points=points, seat=", ".join(map(str, winners)))
        else:
            self.say("won" if len(winners) == 1 else "drawn", points=points)

    # What the person types

    def ask(self) -> bool:
        """Ask until a move is made or taken back; False when the person leaves."""
        while (line := read_line(texts.word("play", "prompt", self.language))) is not None:
            command, rest = command_of(line)
            if command == "quit":
                if self.is_saved or self.warned:
                    return False
                self.warned = True
                self.say("not-saved")
                continue
            self.warned = False
            if command == "undo":
                if self.undo():
                    return True
            elif command is not None:
                self.obey(command, rest)
            elif line and self.try_move(line):
                return True
        return False

    def ask_at_the_end(self) -> bool:
        """After the game: save, take back, or leave."""
        while (line := read_line(texts.word("play", "end-prompt", self.language))) is not None:
            command, rest = command_of(line)
            if command == "undo" and self.undo():
                return True
            if command == "save":
                self.save(rest)
            elif not line or command == "quit":
                return False
        return False

    def obey(self, command: str, rest: str) -> None:
        """Do what a word asks for that changes nothing in the game."""
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
        """Make the move that was typed, or say why it cannot be."""
        legal = in_order(self.position)
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
        """Say why a move is not legal, and which ones of its kind are."""
        reason = self.position.view(self.seat).why_not(move)
        assert reason is not None, "the rules and why_not must agree"
        parts = {"move": move, "reason": reason.say(self.language)}
        legal = in_order(self.position)
        alike = [each for each in legal if each[0] == move[0]] or legal
        for sentence in (
            texts.say("illegal-move", parts, self.language) + ".",
            texts.say("legal-are", {"moves": alike}, self.language),
        ):
            self.console.print(Text(sentence))

    def explain(self, typed: str) -> None:
        """Answer `why MOVE`."""
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
        """Say what a strong player would do who knows no more than the person."""
        self.warm_up()
        adviser = players.make_player(HINTS_BY, self.seed)
        self.say("hint", move=adviser.choose(self.position.view(self.seat), AT_LEISURE))

    def undo(self) -> bool:
        """Back to the person's previous decision."""
        if not self.decisions:
            self.say("nothing-to-undo")
            return False
        self.position = self.decisions.pop()
        self.untold = []
        self.takebacks += 1
        self.is_saved = False
        self.say("undone")
        return True

    def save(self, name: str) -> None:
        """Write the game so far as a record."""
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
