"""Replays of records, with board and narration for each ply, and proofs of deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mandala.core.narration import Sentence, Step, group_draws, narrate, steps_between
from mandala.core.position import Position
from mandala.core.record import Record, read_records
from mandala.core.replay import boards, check
from mandala.core.state import GameState
from mandala.core.view import View
from mandala.live import fair
from mandala.live import table as live
from mandala.server.messages import (
    Explanation,
    Frame,
    Proof,
    ProofDraw,
    ProofLine,
    Replay,
    explanation,
)
from mandala.server.names import make_distinct
from mandala.text import catalogue
from mandala.text.errors import InvalidRecord, Refused

MAX_PLIES = 3_000  # bounds the size of a response; real games are much shorter


def read_one(text: str) -> Record:
    """Parse a text with one record. Raises InvalidRecord, InvalidMove or Refused."""
    found = list(read_records(text))
    if len(found) > 1:
        raise InvalidRecord("several-records", {"records": len(found)})
    (record,) = found
    if len(record.moves) > MAX_PLIES:
        raise Refused("replay-too-long", {"most": MAX_PLIES})
    return record


def line_of(text: str, game: str, ply: int | None) -> tuple[str, ...]:
    """Return the moves of a record up to a ply, for a new table of this game.

    Raises InvalidRecord, InvalidMove, IllegalMove or Refused.
    """
    record = read_one(text)
    if record.tags.get("Game") != game:
        raise Refused("line-game", {"game": game})
    board = check(record)
    line = record.moves[: _ply(record, ply)]
    if isinstance(board, Position):
        live.after_line(game, board.seats, line)  # fills the cache in this thread
    return line


def replay_of(
    record: Record, seat: int | None, language: str, names: Sequence[str] | None = None
) -> Replay:
    """Return a replay of a record, with all cards or from the view of a seat.

    Without `names`, seats have the names in the record's tags, or their numbers. A record with
    hidden cards is shown from its own view. Raises InvalidRecord, IllegalMove or Refused.
    """
    check(record)
    shown = _as_seen(list(boards(record)), seat)
    last = shown[-1]
    names = names or _names_in(record, last.seats, language)
    return Replay(
        game=last.game,
        seats=last.seats,
        tags=record.tags,
        names=list(names),
        view=getattr(last, "seat", None),
        hidden="+?" in record.moves,
        winners=[int(each) for each in record.tags.get("Winner", "").split()] or last.winners,
        frames=[_frame(0, "", None, shown[0]), *frames_of(shown, language, names)],
    )


def _names_in(record: Record, seats: int, language: str) -> list[str]:
    """The distinct names of the seats in the tags of a record."""
    names = [record.tags.get(f"Seat{seat}") for seat in range(1, seats + 1)]
    return make_distinct(
        [name or catalogue.seat_label(seat, language) for seat, name in enumerate(names, start=1)]
    )


def proof_of(record: Record, shares: Mapping[int, bytes]) -> Proof:
    """Return the proof of the deal of a live table's finished record."""
    deal = fair.deal_of(record)
    lines = zip(fair.taken_back_lines(record), deal.taken_back, strict=True)
    return Proof(
        commitment=record.tags["Commitment"],
        secret=record.tags["Secret"],
        shares={str(seat): share.hex() for seat, share in sorted(shares.items())},
        given=fair.given_plies(record),
        draws=[_proof_draw(draw) for draw in deal.standing],
        taken_back=[
            ProofLine(
                plies=line.plies,
                moves=list(line.moves),
                draws=[_proof_draw(draw) for draw in draws],
            )
            for line, draws in lines
        ],
        drawn=len(deal.draws),
    )


def _proof_draw(draw: fair.Draw) -> ProofDraw:
    return ProofDraw(
        number=draw.number,
        ply=draw.ply,
        move=draw.move,
        outcomes=list(draw.weights),
        weights=list(draw.weights.values()),
    )


def why_not_at(record: Record, ply: int | None, move: str, language: str) -> Explanation:
    """Explain why a move is not legal after a ply of a record.

    Raises InvalidRecord, InvalidMove or IllegalMove.
    """
    until = record.moves[: _ply(record, ply)]
    *_, last = boards(Record(record.tags, until, record.places, record.tag_places))
    return explanation("", move, last.why_not(move), language)


def _ply(record: Record, ply: int | None) -> int:
    """The given ply, or the last one for None. Raises InvalidRecord if the record is shorter."""
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise InvalidRecord("no-such-ply", {"ply": ply, "plies": plies})
    return plies if ply is None else ply


def _as_seen(found: list[GameState], seat: int | None) -> list[GameState]:
    last = found[-1]
    if isinstance(last, View):
        # The seat is known only after the first draws, but applies to all views.
        return [
            View(each.game, each.seats, each.copy_states(), last.seat, each.history)
            for each in found
            if isinstance(each, View)
        ]
    if seat is None:
        return found
    if not 1 <= seat <= last.seats:
        raise Refused("no-such-seat", {"seat": seat, "seats": last.seats})
    return [each.view(seat) for each in found if isinstance(each, Position)]


def frames_of(
    shown: Sequence[GameState], language: str, names: Sequence[str] | None = None
) -> list[Frame]:
    """Return the frames for the plies between consecutive states."""
    steps = steps_between(shown[0], shown[1:])
    narrations = _narrations(steps, _reader(shown[0]), language, names)
    frames = []
    for ply, narration in enumerate(narrations, start=1):
        before, board = shown[ply - 1], shown[ply]
        assert board.history is not None, "a board that was played to knows its moves"
        move = board.rules.moves.texts[board.history[-1][0]]
        gains = _gains(shown, ply) if before.actor else []
        frames.append(
            _frame(len(board.history), move, before.actor or None, board, gains, narration)
        )
    return frames


def _gains(shown: Sequence[GameState], ply: int) -> list[int]:
    """The points that a decision gained for each seat, including the draws after it."""
    before, end = shown[ply - 1].scores, ply
    while end + 1 < len(shown) and shown[end].actor == 0:  # chance
        end += 1
    return [after - had for after, had in zip(shown[end].scores, before, strict=True)]


def _narrations(
    steps: list[Step], reader: int | None, language: str, names: Sequence[str] | None
) -> list[list[Sentence]]:
    """The sentences for each ply; those for a group of draws are with its last ply."""
    narrations: list[list[Sentence]] = []
    for group in group_draws(steps):
        narrations += [[] for _ in group[1:]] + [narrate(group, reader, language, names)]
    return narrations


def _reader(state: GameState) -> int | None:
    """The seat of a view, or None for a position and a spectator."""
    return state.seat if isinstance(state, View) else None


def _frame(
    ply: int,
    move: str,
    actor: int | None,
    board: GameState,
    gains: Sequence[int] = (),
    narration: Sequence[Sentence] = (),
) -> Frame:
    return Frame(
        ply=ply,
        move=move,
        actor=actor,
        board=board.board,
        scores=board.scores,
        gains=list(gains),
        narration=list(narration),
    )
