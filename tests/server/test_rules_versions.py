"""A server with tables of unknown rules, beside tables that continue.

The tables are written while the version of Patterns is "0"; the server has version "1".
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from mandala import UnknownGame
from mandala.bots.players import Budget, make_player
from mandala.bots.remote import RemotePlayer, RemoteSeat
from mandala.core.record import read_records
from mandala.live import table as live
from mandala.live.events import Bot, Clock, Closed, Person, RematchAsked
from mandala.live.store import DELETED_NAME, Store
from mandala.live.store.rows import Append, Entry
from mandala.live.table import Table
from mandala.server.limits import Limits
from mandala.server.rooms import now_ms
from mandala.server.sentences import narration_of
from tests.server.harness import SHARE, Server, socket_at
from tests.tables import SECRET, Log, happened, played, rules_version, seated, share

TIMEOUT_S = 15.0
OLD = ("finished", "running", "bot", "flag", "rematch", "waiting")
ENGLISH = "this game was played by version '0' of the rules"
GERMAN = "dieses Spiel wurde nach Fassung »0« der Regeln gespielt"


class World:
    """A database written under older rules, and a server on it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "mandala.db"
        self.url, self.log = f"sqlite:///{self.file}", folder / "log"
        self.records: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        asyncio.run(self._write())
        with closing(sqlite3.connect(self.file)) as connection:  # as in older databases
            connection.execute(
                "UPDATE events SET body = CAST(json_remove(CAST(body AS TEXT), '$.rules') AS BLOB)"
                " WHERE table_id = 'unversioned' AND number = 1"
            )
            connection.commit()
        self.server = Server(self.url, self.log, Limits(bot_delay_s=0, bot_only_delay_s=0))

    async def _write(self) -> None:
        store = await Store.open(self.url)
        people = []
        for name in ("Ada", "Ben"):
            player = await store.add_player(name, 0)
            self.tokens[name] = await store.add_token(player.id, 0)
            people.append(Person(player.id, name))
        ada, ben = people
        now = now_ms()

        async def keep(name: str, log: Log, table: Table, due_at: int | None) -> None:
            entries = tuple(Entry(n, at, "x", None, event) for n, (event, at) in enumerate(log, 1))
            await store.append(Append(name, table, entries, due_at=due_at))

        with rules_version("patterns", "0"):
            log, table = seated("patterns", (ada, ben), at=now)
            await keep("running", log, table, table.deadline)
            table = played(log, table, at=now)
            await keep("finished", log, table, None)
            log += [(RematchAsked(1), now), (RematchAsked(2), now)]
            await keep("rematch", log, live.fold(log), now)
            log, table = seated("patterns", (ada, Bot("greedy")), at=now)
            assert table.bot_to_move is not None
            await keep("bot", log, table, now)
            log, table = seated("patterns", (ada, ben), Clock("game", 60), at=now - 10**6)
            await keep("flag", log, table, table.deadline)
            log = [(live.open_table("patterns", 2, SECRET), now)]
            table = happened(log, live.sit(live.fold(log), 1, ada, share(1), now), now)
            await keep("waiting", log, table, table.deadline)
        for name in ("going on", "unversioned"):
            log, table = seated("mandala", (ada, Bot("greedy")), at=now)
            await keep(name.replace(" ", "-"), log, table, table.deadline)
        for name in OLD:
            self.records[name] = await store.record(name) or ""
        await store.close()

    def ask(self, method: str, path: str, name: str = "Ada", **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        return httpx.request(method, f"{self.server.url}/api{path}", headers=headers, **more)

    def listed(self, state: str) -> list[str]:
        found = httpx.get(f"{self.server.url}/api/tables", params={"state": state})
        return [each["id"] for each in found.json()]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(query).fetchall()

    def refused(self, method: str, path: str, **more: Any) -> None:
        answer = self.ask(method, path, **more)
        assert answer.status_code == 400, answer.text
        assert answer.json()["code"] == "unknown-rules"
        assert answer.json()["text"].startswith(ENGLISH)


def wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("world"))
    try:
        wait_until(lambda: set(world.listed("over")) >= set(OLD))
        yield world
    finally:
        assert world.server.close() in (0, -15)
    text = world.log.read_text()
    assert "Traceback" not in text, text
    assert not [line for line in text.splitlines() if json.loads(line)["level"] == "error"]


def test_old_tables_are_listed_as_finished(world: World) -> None:
    assert set(world.listed("over")) >= set(OLD)
    assert set(world.listed("running")) == {"going-on", "unversioned"}
    assert world.listed("open") == []


def test_old_tables_are_not_due(world: World) -> None:
    wait_until(
        lambda: {*world.rows("SELECT table_id FROM due")} <= {("going-on",), ("unversioned",)}
    )
    assert len(world.rows("SELECT id FROM tables")) == 8  # no rematch was opened


@pytest.mark.parametrize("table", OLD)
def test_the_state_contains_the_reason_for_a_missing_board(world: World, table: str) -> None:
    state = world.ask("GET", f"/tables/{table}").json()
    assert (state["rules"], state["board"], state["legal"]) == ("0", None, [])
    assert (state["state"], state["actor"], state["deadline"]) == ("over", None, None)
    assert state["notice"].startswith(ENGLISH)
    german = world.ask("GET", f"/tables/{table}", params={"language": "de"}).json()
    assert german["notice"].startswith(GERMAN)


@pytest.mark.parametrize("table", ["finished", "rematch"])
def test_a_finished_table_shows_moves_and_result_and_exports_its_record(
    world: World, table: str
) -> None:
    assert world.ask("GET", f"/tables/{table}/record").text == world.records[table]
    (record,) = read_records(world.records[table])
    state = world.ask("GET", f"/tables/{table}").json()
    assert state["moves"] == list(record.moves)
    assert "-".join(map(str, state["scores"])) == record.tags["Result"]
    assert state["ending"]["how"] == "over"
    assert " ".join(map(str, state["ending"]["winners"])) == record.tags["Winner"]
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Ben"]


@pytest.mark.parametrize("table", ["running", "bot", "flag"])
def test_a_running_table_is_closed_without_a_result(world: World, table: str) -> None:
    state = world.ask("GET", f"/tables/{table}").json()
    assert state["ending"] == {"how": "closed", "seat": None, "winners": []}
    assert state["scores"] is None
    (record,) = read_records(world.ask("GET", f"/tables/{table}/record").text)
    assert list(record.moves) == state["moves"]
    assert (record.tags["Rules"], record.tags["Result"]) == ("0", "*")


def test_a_table_without_a_game_is_closed_and_has_no_record(world: World) -> None:
    assert world.ask("GET", "/tables/waiting").json()["ending"]["how"] == "closed"
    assert world.ask("GET", "/tables/waiting/record").json()["code"] == "no-record-yet"


def test_commands_that_need_the_rules_are_refused(world: World) -> None:
    record = world.records["finished"]
    for table in ("finished", "running"):
        world.refused("GET", f"/tables/{table}/replay")
        world.refused("GET", f"/tables/{table}/proof")
    world.refused("POST", "/replays", json={"record": record})
    world.refused("POST", "/why", json={"record": record, "move": "E"})
    seats = [{"kind": "me"}, {"kind": "open"}]
    line = {"game": "patterns", "seats": seats, "share": SHARE, "line": record, "ply": 60}
    world.refused("POST", "/tables", json=line)
    world.refused("POST", "/tables/waiting/seats/2", json={"share": SHARE})
    world.refused("DELETE", "/tables/waiting/seats/1")


@pytest.mark.parametrize("table", ["finished", "running"])
def test_a_client_that_reconnects_to_an_old_table_gets_the_reason(world: World, table: str) -> None:
    headers = {"Authorization": f"Bearer {world.tokens['Ada']}"}
    with socket_at(world.server, table, headers, after=2, language="de") as connection:
        welcome = connection.receive()
        assert welcome["type"] == "welcome"
        assert welcome["missed"] == []
        assert welcome["state"]["notice"].startswith(GERMAN)
        for kind, more in (
            ("move", {"move": "E"}),
            ("rematch", {}),
            ("takeback", {}),
            ("hint", {}),
        ):
            answer = connection.command(kind, **more)
            assert (answer["type"], answer["code"]) == ("error", "unknown-rules")


@pytest.mark.parametrize("table", ["going-on", "unversioned"])
def test_other_tables_continue(world: World, table: str) -> None:
    headers = {"Authorization": f"Bearer {world.tokens['Ada']}"}
    with socket_at(world.server, table, headers) as connection:
        connection.receive()
        assert (connection.state["rules"], connection.state["notice"]) == ("1", None)
        for _ in range(2):
            while connection.state["actor"] != 1:
                connection.receive()
            assert connection.command("move", move=connection.state["legal"][0])["type"] == "done"


def test_a_remote_bot_refuses_a_table_with_unknown_rules(world: World) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "flowers", "seats": seats, "share": SHARE}
    table = world.ask("POST", "/tables", json=body).json()["state"]["id"]
    seat = RemoteSeat(world.server.url, table, 2)
    bot = RemotePlayer(
        seat, world.tokens["Ben"], make_player("random", 1), Budget(), lambda text: None
    )
    with rules_version("flowers", "0"), pytest.raises(UnknownGame) as caught:
        bot.sit_down()
    assert caught.value.code == "unknown-rules"
    assert world.ask("GET", f"/tables/{table}").json()["seats"][1]["kind"] == "open"
    assert bot.sit_down() == "flowers"


def test_a_table_is_closed_once(world: World) -> None:
    query = "SELECT table_id, count(*) FROM events WHERE table_id IN ('running', 'bot') GROUP BY 1"
    before = world.rows(query)
    world.server.stop()
    world.server.start()
    assert world.ask("GET", "/tables/running").json()["ending"]["how"] == "closed"
    assert world.rows(query) == before


def test_deleting_a_player_changes_stored_records_too(world: World) -> None:
    assert world.ask("DELETE", "/me", "Ben").status_code == 204
    for table in ("finished", "running"):
        text = world.ask("GET", f"/tables/{table}/record").text
        (record,) = read_records(text)
        assert (record.tags["Seat1"], record.tags["Seat2"]) == ("Ada", DELETED_NAME)
    (kept,) = read_records(world.records["finished"])
    assert record.tags["Rules"] == kept.tags["Rules"]


def test_the_narration_of_a_closed_table_says_why() -> None:
    _, table = seated("mandala")
    event = Closed("unknown-rules")
    after = live.after(table, event, 0)
    for language, words in (("en", "without a result"), ("de", "ohne Ergebnis")):
        (sentence,) = narration_of(table, event, after, live.view(after, None), None, language)
        assert words in sentence.text
