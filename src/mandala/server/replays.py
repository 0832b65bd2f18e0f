"""Records played through for the page: each board on the way, with its story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mandala.core.narration import Step, group_draws, narrate, steps_between
from mandala.core.position import Position
from mandala.core.record import Record, read_records
from mandala.core.replay import boards, check
from mandala.core.state import GameState
from mandala.core.view import View
from mandala.live import fair
from mandala.live import table as live
from mandala.server.messages import Because, Frame, Proof, ProofDraw, Replay, because
from mandala.text.errors import InvalidRecord, Refused

MOST_PLIES = 3_000  # far beyond a real game: what an answer may hold


def read_one(text: str) -> Record:
    """The one record of a text. Raises InvalidRecord or InvalidMove with the place."""
    found = list(read_records(text))
    if len(found) > 1:
        raise InvalidRecord("several-records", {"records": len(found)})
    (record,) = found
    if len(record.moves) > MOST_PLIES:
        raise Refused("replay-too-long", {"most": MOST_PLIES})
    return record


def line_of(text: str, game: str, ply: int | None) -> tuple[str, ...]:
    """The moves of a record, up to a ply, that a table can go on from. Raises on what cannot be."""
    record = read_one(text)
    if record.tags.get("Game") != game:
        raise Refused("line-game", {"game": game})
    board = check(record)
    line = record.moves[: _ply(record, ply)]
    if isinstance(board, Position):
        live.after_line(game, board.seats, line)  # kept, so nobody waits later
    return line


def replay_of(record: Record, seat: int | None, language: str) -> Replay:
    """A record from its first ply to its last, with all cards or as one seat saw it.

    A record with hidden cards is shown as it is. Raises on the first thing that cannot be.
    """
    check(record)
    shown = _as_seen(list(boards(record)), seat)
    frames = [_frame(0, "", None, shown[0], []), *frames_of(shown, language)]
    last = shown[-1]
    return Replay(
        game=last.game,
        seats=last.seats,
        tags=record.tags,
        names=[record.tags.get(f"Seat{each}", "") for each in range(1, last.seats + 1)],
        view=getattr(last, "seat", None),
        hidden="+?" in record.moves,
        winners=[int(each) for each in record.tags.get("Winner", "").split()] or last.winners,
        frames=frames,
    )


def proof_of(record: Record, shares: Mapping[int, bytes]) -> Proof:
    """What a finished record of a live table proves its deal with."""
    return Proof(
        commitment=record.tags["Commitment"],
        secret=record.tags["Secret"],
        shares={str(seat): share.hex() for seat, share in sorted(shares.items())},
        given=fair.given(record),
        draws=[
            ProofDraw(
                number=draw.number,
                ply=draw.ply,
                move=draw.move,
                outcomes=list(draw.weights),
                weights=list(draw.weights.values()),
            )
            for draw in fair.draws(record)
        ],
    )


def why_not_at(record: Record, ply: int | None, move: str, language: str) -> Because:
    """Why a move is not legal after so many plies of a record. Raises on what cannot be."""
    until = record.moves[: _ply(record, ply)]
    *_, last = boards(Record(record.tags, until, record.places, record.tag_places))
    return because("", move, last.why_not(move), language)


def _ply(record: Record, ply: int | None) -> int:
    """So many plies, or all of a record. Raises InvalidRecord when there are fewer."""
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise InvalidRecord("no-such-ply", {"ply": ply, "plies": plies})
    return plies if ply is None else ply


def _as_seen(found: list[GameState], seat: int | None) -> list[GameState]:
    last = found[-1]
    if isinstance(last, View):
        # Whose cards are shown is known once they are drawn; the seat is the same all along.
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


def frames_of(shown: Sequence[GameState], language: str) -> list[Frame]:
    """The plies between boards that follow each other."""
    stories = _stories(steps_between(shown[0], shown[1:]), _reader(shown[0]), language)
    frames = []
    for before, board, told in zip(shown, shown[1:], stories, strict=False):
        assert board.history is not None, "a board that was played to knows its moves"
        move = board.rules.moves.texts[board.history[-1][0]]
        frames.append(_frame(len(board.history), move, before.actor or None, board, told))
    return frames


def _stories(steps: list[Step], reader: int | None, language: str) -> list[list[str]]:
    """The story of each ply; cards drawn together are told with the last of them."""
    stories: list[list[str]] = []
    for group in group_draws(steps):
        stories += [[] for _ in group[1:]] + [narrate(group, reader, language)]
    return stories


def _reader(state: GameState) -> int | None:
    """The seat of a view, or None for a position and a spectator."""
    return state.seat if isinstance(state, View) else None


def _frame(ply: int, move: str, actor: int | None, board: GameState, told: list[str]) -> Frame:
    return Frame(ply=ply, move=move, actor=actor, board=board.board, scores=board.scores, told=told)
