"""A database that version 0.1.0 wrote opens, shows the same games, and they go on."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from mandala.core.record import Record, read_records
from mandala.live.fair import DRAWN_TAG, LINES_TAG, verify
from tests.server.harness import NO_LIMITS, SHARE, Connection, Server, socket_at

FIXTURES = Path(__file__).parent / "fixtures"
DATABASE = FIXTURES / "database-0.1.0.db"
EXPECTED: dict[str, Any] = json.loads(DATABASE.with_suffix(".json").read_text())
LIMITS = msgspec.structs.replace(NO_LIMITS, bot_time_s=0.05)
PATIENCE_S = 60

BOTS_ALONE = next(each for each in EXPECTED["tables"] if "moves" in each)
TABLES: list[dict[str, Any]] = [each for each in EXPECTED["tables"] if each is not BOTS_ALONE]
RUNNING = [each for each in TABLES if each["state"] == "running"]
ASKED = next(each for each in RUNNING if each["asked"] is not None)
OVER = [each for each in TABLES if each["state"] == "over"]


def name_of(table: dict[str, Any]) -> str:
    return f"{table['game']}{len(table['seats'])}: {table['what']}"


def table_where(what: str) -> dict[str, Any]:
    (found,) = [each for each in TABLES if what in each["what"]]
    return found


def copy_database(folder: Path) -> Path:
    """Copy the database as if the server had stopped just now.

    A table without moves is closed after days, which have passed since the file was made. The first
    event keeps its time: the date in a record is made of it.
    """
    copy = Path(shutil.copy(DATABASE, folder / "tables.db"))
    with closing(sqlite3.connect(copy)) as connection, connection:
        (stopped,) = connection.execute("SELECT max(at) FROM events").fetchone()
        passed = (time.time_ns() // 1_000_000 - stopped,)
        connection.execute("UPDATE events SET at = at + ? WHERE number > 1", passed)
        connection.execute("UPDATE due SET at = at + ?", passed)
    return copy


class Players:
    """A server on a copy of the database, and the people of the database by their tokens."""

    def __init__(self, folder: Path) -> None:
        file = copy_database(folder)
        self.server = Server(f"sqlite+aiosqlite:///{file}", folder / "log", LIMITS)
        self.spectator = httpx.Client(base_url=self.server.url)
        self.people = {
            name: httpx.Client(base_url=self.server.url, headers=self.headers(name))
            for name in EXPECTED["people"]
        }

    def headers(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {EXPECTED['people'][name]['token']}"}

    def close(self) -> None:
        for http in (self.spectator, *self.people.values()):
            http.close()
        self.server.close()

    def state(self, table_id: str) -> dict[str, Any]:
        state: dict[str, Any] = self.spectator.get(f"/api/tables/{table_id}").json()
        return state

    def record(self, table_id: str, seat: str = "spectator") -> str:
        """The record of a table for a spectator or a seat, as text."""
        if seat == "spectator":
            http, query = self.spectator, {}
        else:
            name = self.state(table_id)["seats"][int(seat) - 1]["name"]
            http, query = self.people[name], {"seat": seat}
        answer = http.get(f"/api/tables/{table_id}/record", params=query)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sit(self, name: str, table_id: str, seat: int, key: str = "") -> None:
        body = {"share": SHARE, "key": key}
        answer = self.people[name].post(f"/api/tables/{table_id}/seats/{seat}", json=body)
        assert answer.status_code == 201, answer.text

    def wait_until_over(self, table_id: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while self.state(table_id)["state"] != "over":
            assert time.monotonic() < until, "the game does not end"
            time.sleep(0.05)

    def connections(self, table_id: str, stack: ExitStack) -> dict[int, Connection]:
        """A connection for each seat of a person."""
        found = {}
        for sitter in self.state(table_id)["seats"]:
            if sitter["kind"] != "person":
                continue
            seat, headers = sitter["seat"], self.headers(sitter["name"])
            found[seat] = stack.enter_context(socket_at(self.server, table_id, headers, seat=seat))
            found[seat].receive()
        return found

    def play(self, table_id: str) -> int:
        """Play random moves for all people until the game is over, and return their number."""
        choices, made = random.Random(5), 0
        with ExitStack() as stack:
            connections = self.connections(table_id, stack)
            while True:
                newest = max(each.state["number"] for each in connections.values())
                for connection in connections.values():
                    while connection.state["number"] < newest:
                        connection.receive_until("event")
                state = next(iter(connections.values())).state
                if state["state"] == "over":
                    return made
                if state["actor"] not in connections:
                    next(iter(connections.values())).receive_until("event")
                    continue
                connection = connections[state["actor"]]
                legal = [each for each in connection.state["legal"] if each[0] not in "CE"]
                move = choices.choice(legal or connection.state["legal"])
                answer = connection.command("move", move=move)
                assert answer["type"] == "done", answer
                while connection.state["number"] < answer["number"]:
                    connection.receive_until("event")
                made += 1


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Players]:
    """A server whose tables are only looked at."""
    found = Players(tmp_path_factory.mktemp("shown"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Players]:
    """A server whose tables go on."""
    found = Players(tmp_path_factory.mktemp("played"))
    yield found
    found.close()


def record_of(text: str) -> Record:
    (found,) = read_records(text.splitlines())
    return found


def assert_continued(before: list[str], after: list[str]) -> None:
    """Assert that a game begins with the moves of a record in which `?` stands for a card."""
    assert len(after) > len(before)
    for old, new in zip(before, after, strict=False):
        assert old == new or (old == "+?" and new.startswith("+"))


def test_every_table_is_listed_as_before(shown: Players) -> None:
    for state, expected in EXPECTED["lists"].items():
        answer = shown.spectator.get("/api/tables", params={"state": state})
        found = [each for each in answer.json() if each["id"] != BOTS_ALONE["id"]]
        assert [each["id"] for each in found] == [each["id"] for each in expected]
        for now, before in zip(found, expected, strict=True):
            assert {key: now[key] for key in before} == before


@pytest.mark.parametrize("name", EXPECTED["people"])
def test_people_are_known_by_their_credentials(shown: Players, name: str) -> None:
    person, http = EXPECTED["people"][name], shown.people[name]
    assert http.get("/api/me").json() == {"id": person["id"], "name": name}
    with httpx.Client(base_url=shown.server.url) as elsewhere:
        answer = elsewhere.post("/api/me/link", json={"key": person["link"]})
        assert answer.json() == {"id": person["id"], "name": name}
    for state, expected in EXPECTED["own_lists"][name].items():
        found = http.get("/api/me/tables", params={"state": state}).json()
        assert [each["id"] for each in found] == expected


@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_a_table_is_unchanged(shown: Players, table: dict[str, Any]) -> None:
    now = shown.state(table["id"])
    parts = table.keys() - {"what", "records", "seats", "legal"}
    assert {key: now[key] for key in parts} == {key: table[key] for key in parts}
    for sitter, before in zip(now["seats"], table["seats"], strict=True):
        assert {key: sitter[key] for key in before} == before
    if table["state"] == "running":
        actor = table["seats"][table["actor"] - 1]
        answer = shown.people[actor["name"]].get(
            f"/api/tables/{table['id']}", params={"seat": actor["seat"]}
        )
        assert answer.json()["legal"] == table["legal"]


@pytest.mark.parametrize("table", RUNNING + OVER, ids=name_of)
def test_every_record_is_unchanged(shown: Players, table: dict[str, Any]) -> None:
    for seat, before in table["records"].items():
        record = record_of(shown.record(table["id"], seat))
        # Records of finished games now also contain the lines taken back.
        tags = {
            name: text for name, text in record.tags.items() if name not in (DRAWN_TAG, LINES_TAG)
        }
        assert str(Record(tags, record.moves)) == before
        assert (DRAWN_TAG in record.tags) == (table["state"] == "over")


@pytest.mark.parametrize("table", OVER, ids=name_of)
def test_a_finished_game_is_replayed_and_its_deal_verified(
    shown: Players, table: dict[str, Any]
) -> None:
    record = record_of(shown.record(table["id"]))
    verified = verify(record)
    assert (verified.draws > 0, verified.skipped) == (True, "")
    path = f"/api/tables/{table['id']}"
    replay = shown.spectator.get(f"{path}/replay").json()
    assert [each["move"] for each in replay["frames"][1:]] == list(record.moves)
    assert replay["frames"][-1]["scores"] == table["scores"]
    assert shown.spectator.get(f"{path}/proof").json()["secret"] == record.tags["Secret"]


@pytest.mark.parametrize("table", [each for each in RUNNING if each is not ASKED], ids=name_of)
def test_a_running_game_can_be_finished(played: Players, table: dict[str, Any]) -> None:
    assert played.play(table["id"]) > 0
    text = played.record(table["id"])
    record = record_of(text)
    assert verify(record).draws > 0
    for before in table["records"].values():
        assert_continued(list(record_of(before).moves), list(record.moves))
    bots = {each["seat"] for each in table["seats"] if each["kind"] == "bot"}
    assert bots <= {each["actor"] for each in frames_since(played, table)}


def frames_since(played: Players, table: dict[str, Any]) -> list[dict[str, Any]]:
    """The frames of a replay after the moves that the database had."""
    had = len(record_of(table["records"]["spectator"]).moves)
    replay = played.spectator.get(f"/api/tables/{table['id']}/replay").json()
    frames: list[dict[str, Any]] = replay["frames"]
    return frames[had + 1 :]


def test_bots_continue_their_games(played: Players) -> None:
    played.wait_until_over(BOTS_ALONE["id"])
    record = record_of(played.record(BOTS_ALONE["id"]))
    assert_continued(BOTS_ALONE["moves"], list(record.moves))
    assert verify(record).draws > 0


def test_a_pending_takeback_can_be_answered(played: Players) -> None:
    table = ASKED
    with ExitStack() as stack:
        connections = played.connections(table["id"], stack)
        (other,) = connections.keys() - {table["asked"]}
        assert connections[other].command("answer", agrees=True)["type"] == "done"
    state = played.state(table["id"])
    assert (state["takebacks"], state["asked"]) == (1, None)
    assert state["actor"] == table["asked"]
    assert played.play(table["id"]) > 0


def test_open_tables_can_be_completed(played: Players) -> None:
    listed, unlisted = table_where("waits for anybody"), table_where("waits for two with a key")
    played.sit("Dora", listed["id"], 2)
    played.sit("Dora", unlisted["id"], 4, EXPECTED["keys"][unlisted["id"]]["4"])
    for table in (listed, unlisted):
        assert played.state(table["id"])["state"] == "running"
        assert played.play(table["id"]) > 0
        assert verify(record_of(played.record(table["id"]))).draws > 0


def test_a_rematch_is_opened_when_the_other_asks_for_it_too(played: Players) -> None:
    table = table_where("one of two would like to play again")
    with ExitStack() as stack:
        connections = played.connections(table["id"], stack)
        (other,) = connections.keys() - set(table["rematch"])
        assert connections[other].command("rematch")["type"] == "done"
        until = time.monotonic() + PATIENCE_S
        while not (again := played.state(table["id"])["rematched"]):
            assert time.monotonic() < until, "no rematch is opened"
            time.sleep(0.05)
    assert played.state(again)["state"] == "open"
