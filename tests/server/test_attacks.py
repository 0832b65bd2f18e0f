"""Attacks on a server over HTTP, each of which is refused or does no harm."""

from __future__ import annotations

import json
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from mandala.server.limits import Limits
from tests.server.harness import NO_LIMITS, SHARE, Client, Server, socket_at
from tests.server.test_server import play_on


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits, whose log must stay free of errors."""
    folder = tmp_path_factory.mktemp("attacks")
    running = Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log", NO_LIMITS)
    yield running
    running.close()
    assert "Traceback" not in (folder / "log").read_text()


def limited(folder: Path, **limits: Any) -> Server:
    return Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log", Limits(**limits))


# Requests


def test_the_api_description_is_made_once(server: Server) -> None:
    with httpx.Client(base_url=server.url) as http:
        http.get("/docs")
        for path in ("/docs", "/openapi.json"):
            answers = [http.get(path) for _ in range(20)]
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.headers["etag"] for answer in answers}) == 1
            tag = answers[0].headers["etag"]
            assert http.get(path, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/docs", "/openapi.json", "/", "/t/x", "/no/file.js", "/healthz", "/readyz", "/metrics",
        "/api/games", "/api/nothing", "/schema/openapi.json",
    ],
)  # fmt: skip
def test_every_path_has_a_rate_limit(limited_server: Server, path: str) -> None:
    with httpx.Client(base_url=limited_server.url) as http:
        statuses = [http.get(path).status_code for _ in range(8)]
    assert statuses[-1] == 429, statuses


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    slow = {"requests_per_second": 0.01, "page_requests_per_second": 0.01}
    more = {"request_burst": 5, "page_burst": 5, "check_burst": 5}
    limits = {**slow, **more, "check_requests_per_second": 0.01}
    with closing(limited(tmp_path_factory.mktemp("limited"), **limits)) as running:
        yield running


def test_requests_for_no_handler_are_limited(limited_server: Server) -> None:
    with httpx.Client(base_url=limited_server.url) as http:
        assert [http.post("/nowhere").status_code for _ in range(8)][-1] == 429


@pytest.mark.parametrize(
    "body", [b'{"name": "\xff\xfe"}', b"[" * 30_000, b'{"a":' * 10_000, b'{"name": "\\ud800"}']
)
def test_a_malformed_body_is_a_bad_request(server: Server, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    for path in ("/api/me", "/api/replays", "/api/why"):
        answer = httpx.post(server.url + path, content=body, headers=headers)
        assert answer.status_code == 400, answer.text


def test_a_malformed_address_or_header_is_no_error_of_the_server(server: Server) -> None:
    for path in ("/api/tables?name=%ff%fe", "/api/rules/%ff", "/api/tables/%ff", "/%ff%fe"):
        assert httpx.get(server.url + path).status_code in (200, 400, 404), path
    for header in ({"Cookie": b"mandala=\xff.\xfe"}, {"Authorization": b"Bearer \xff"}):
        answer = httpx.get(f"{server.url}/api/me", headers=header)  # type: ignore[arg-type]
        assert answer.status_code == 401, answer.text


# Names


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u3164", "invisible-name"),
        ("\u2800", "invisible-name"),
        ("Ada\u3164", "invisible-name"),
        ("\u0301", "invisible-name"),
        ("\u0301\u0302", "invisible-name"),
        ("Ada \u0301", "invisible-name"),
        ("...", "invisible-name"),
        ("\u202eadA", "bad-name"),
        ("A\u200bda", "bad-name"),
        ("\u200d", "bad-name"),
        ("A" * 25, "bad-name"),
        ("–", "reserved-name"),
        ("—", "reserved-name"),
        ("Somebody", "reserved-name"),
        ("jemand", "reserved-name"),
        ("Master", "reserved-name"),
        ("MEISTERLICH", "reserved-name"),
        ("Geubt", "reserved-name"),
        ("Ｂｏｔ", "reserved-name"),
        ("Bot 2", "reserved-name"),
        ("search:5", "reserved-name"),
        ("search: 4", "reserved-name"),
        ("greedy", "reserved-name"),
        ("Player 1", "reserved-name"),
        ("Open seat", "reserved-name"),
    ],
)
def test_a_misleading_name_is_refused_with_a_reason(server: Server, name: str, code: str) -> None:
    ada = Client(server, "Ada")
    for answer in (
        httpx.post(f"{server.url}/api/me", json={"name": name}),
        ada.http.patch("/api/me", json={"name": name}, params={"language": "de"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert ada.http.get("/api/me").json()["name"] == "Ada"


@pytest.mark.parametrize(
    "name", ["Zoë", "Ада", "李", "🦊", "❤\ufe0f", "J. R.", "A-B", "नमस्ते", "X" * 24]
)
def test_an_ordinary_name_is_accepted(server: Server, name: str) -> None:
    assert httpx.post(f"{server.url}/api/me", json={"name": name}).json()["name"] == name


# Headers and credentials


def test_private_answers_are_not_stored(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("patterns", "me", "open")["state"]["id"]
    for path in ("/api/me", "/api/me/link", "/api/me/tables", f"/api/tables/{table}", "/api/nope"):
        answer = ada.http.get(path)
        assert answer.headers["cache-control"] == "no-store", path
        assert "strict-transport-security" not in answer.headers
    assert ada.http.get("/docs").headers["cache-control"] != "no-store"


def test_a_secure_server_requires_https(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with closing(Server(database, tmp_path / "log", None, ["--secure"])) as server:
        answer = httpx.post(f"{server.url}/api/me", json={"name": "Ada"})
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "secure" in answer.headers["set-cookie"].lower()
        https = server.url.replace("http", "https")
        for origin, status in ((server.url, 403), (https, 201)):
            answer = httpx.post(
                f"{server.url}/api/me", json={"name": "Ada"}, headers={"Origin": origin}
            )
            assert answer.status_code == status, answer.text
            assert "strict-transport-security" in answer.headers


def test_an_origin_with_another_scheme_is_refused(server: Server) -> None:
    ada = Client(server, "Ada")
    https = server.url.replace("http", "https")
    answer = ada.http.post("/api/me/tokens", headers={"Origin": https})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    table = ada.open("patterns", "me", "open")["state"]["id"]
    with socket_at(server, table, {"Origin": https}) as connection:
        assert connection.receive()["code"] == "wrong-origin"
    with socket_at(server, table, {"Origin": server.url}) as connection:
        assert connection.receive()["type"] == "welcome"


def test_tokens_are_listed_and_revoked_singly(server: Server) -> None:
    ada, eve = Client(server, "Ada"), Client(server, "Eve")
    one, two = (ada.http.post("/api/me/tokens").json()["key"] for _ in range(2))
    listed = ada.http.get("/api/me/tokens")
    assert one not in listed.text
    first, second = listed.json()

    def status(token: str) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.get(f"{server.url}/api/me", headers=headers).status_code

    path = f"/api/me/tokens/{first['id']}"
    assert eve.http.delete(path).json()["code"] == "no-such-token"
    assert ada.http.delete(path).status_code == 204
    assert ada.http.delete(path).status_code == 404
    assert sorted(map(status, (one, two))) == [200, 401]
    assert [each["id"] for each in ada.http.get("/api/me/tokens").json()] == [second["id"]]


def test_a_personal_link_can_be_revoked(server: Server) -> None:
    ada = Client(server, "Ada")
    link = ada.http.get("/api/me/link").json()
    token = ada.http.post("/api/me/tokens").json()["key"]
    with httpx.Client(base_url=server.url) as thief:
        assert thief.post("/api/me/link", json=link).json()["id"] == ada.id
        assert thief.get("/api/me").status_code == 200
        assert ada.http.delete("/api/me/link").json()["id"] == ada.id
        assert thief.get("/api/me").status_code == 401
        assert thief.post("/api/me/link", json=link).json()["code"] == "bad-key"
        new = ada.http.get("/api/me/link").json()
        assert new != link
        assert thief.post("/api/me/link", json=new).json()["id"] == ada.id
    bearer = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/me", headers=bearer).json()["id"] == ada.id


# Quotas


def test_quotas_for_guests_tokens_and_tables(tmp_path: Path) -> None:
    limits = {"new_guests_per_hour": 3, "max_tokens": 2, "max_open_tables": 4}
    with closing(limited(tmp_path, **limits, max_listed_tables=2)) as server:
        ada, ben = Client(server, "Ada"), Client(server, "Ben")

        def status(client: Client, path: str, body: Any = None) -> tuple[int, str]:
            answer = client.http.post(path, json=body)
            return answer.status_code, answer.json().get("code", "")

        def table(*seats: str, **more: Any) -> dict[str, Any]:
            kinds = [
                {"kind": each} if each in ("me", "open") else {"kind": "bot", "name": each}
                for each in seats
            ]
            return {"game": "patterns", "seats": kinds, "share": SHARE, **more}

        assert status(ada, "/api/me", {"name": "Cem"})[0] == 201
        assert status(ada, "/api/me", {"name": "Dan"}) == (429, "too-many-guests")
        ada.http.cookies = ben.http.cookies
        for expected in ((201, ""), (201, ""), (429, "too-many-tokens")):
            assert status(ben, "/api/me/tokens") == expected
        # A table without a seat for its opener counts, too.
        listed = [table("open", "greedy"), table("me", "open")]
        for body in listed:
            assert status(ben, "/api/tables", body)[0] == 201
        assert status(ben, "/api/tables", listed[0]) == (429, "too-many-listed")
        assert status(ben, "/api/tables", table("me", "open", listed=False))[0] == 201
        assert status(ben, "/api/tables", table("greedy", "greedy"))[0] == 201
        assert status(ben, "/api/tables", table("greedy", "greedy")) == (429, "too-many-tables")


def test_sockets_of_one_address_are_limited(tmp_path: Path) -> None:
    with closing(limited(tmp_path, max_sockets_per_address=2)) as server:
        ada = Client(server, "Ada")
        table = ada.open("patterns", "me", "open")["state"]["id"]
        with ada.at(table) as one:
            one.receive()
            with ada.at(table) as two, ada.at(table) as three:
                assert two.receive()["type"] == "welcome"
                assert three.receive()["code"] == "too-many-sockets"
        with ada.at(table) as again:
            assert again.receive()["type"] == "welcome"


def test_many_replays_of_one_address_delay_another_by_one_at_most(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    options = ["--proxy", "127.0.0.1"]
    with closing(Server(database, tmp_path / "log", None, options)) as server:
        ada = Client(server, "Ada")
        table = ada.open("mandala", "me", "random")["state"]["id"]
        with ada.at(table) as connection:
            connection.receive()
            for _ in range(4):
                play_on(connection, random.Random(1))
            connection.command("resign")
        record = ada.http.get(f"/api/tables/{table}/record").text
        finished: list[str] = []

        def ask(address: str, path: str, body: dict[str, str]) -> None:
            headers = {"X-Forwarded-For": address}
            answer = httpx.post(server.url + path, json=body, headers=headers, timeout=60)
            assert answer.status_code == 200, answer.text
            finished.append(address)

        flood = [
            threading.Thread(target=ask, args=("10.0.0.1", "/api/replays", {"record": record}))
            for _ in range(15)
        ]
        for each in flood:
            each.start()
        ask("10.0.0.2", "/api/lessons/mandala/1", {"move": "A1g"})
        for each in flood:
            each.join()
        assert finished.index("10.0.0.2") < 11, finished


# Deletion


def test_deletion_finds_every_event_with_the_name(tmp_path: Path) -> None:
    file = tmp_path / "mandala.db"
    server = Server(f"sqlite:///{file}", tmp_path / "log", NO_LIMITS)
    with closing(server):
        gone, ben = Client(server, "Zebedee"), Client(server, "Ben")
        left = gone.open("patterns", "me", "open")["state"]["id"]
        assert gone.http.delete(f"/api/tables/{left}/seats/1").status_code == 204
        table = gone.open("patterns", "me", "open")["state"]["id"]
        assert ben.sit(table, 2).status_code == 201
        with gone.at(table) as one, ben.at(table) as two:
            one.receive(), two.receive()
            assert one.command("resign")["type"] == "done"
            two.receive_until("event")
            assert one.command("rematch")["type"] == "done"
            two.receive_until("event")
            assert two.command("rematch")["type"] == "done"
            while not two.state["rematched"]:
                two.receive()
        gone.http.patch("/api/me", json={"name": "Zebulon"})
        gone.open("mandala", "me", "random")
        assert gone.http.delete("/api/me").status_code == 204
        for each in (left, table, two.state["rematched"]):
            assert "Zeb" not in httpx.get(f"{server.url}/api/tables/{each}").text
        found = [each.name for each in tmp_path.glob("mandala.db*") if b"Zeb" in each.read_bytes()]
        assert found == []
    assert b"Zeb" not in file.read_bytes()


def test_deletion_while_a_bot_moves_strands_nobody(tmp_path: Path) -> None:
    with closing(limited(tmp_path, bot_delay_s=1.0)) as server:
        gone, ben = Client(server, "Zebedee"), Client(server, "Ben")
        table = gone.open("flowers", "me", "open", "random")["state"]["id"]
        assert ben.sit(table, 2).status_code == 201
        with gone.at(table) as one, ben.at(table) as two:
            one.receive(), two.receive()
            while two.state["actor"] != 3:
                mover = one if one.state["actor"] == 1 else two
                number = mover.state["number"]
                mover.command("move", move=mover.state["legal"][0])
                for each in (one, two):
                    while each.state["number"] <= number:
                        each.receive()
            number = two.state["number"]
            assert gone.http.delete("/api/me").status_code == 204
            assert two.receive()["type"] == "welcome"
            assert "Zebedee" not in json.dumps(two.state)
            assert two.state["number"] == number
            two.receive_until("event")
            assert two.state["number"] == number + 1


def test_guests_who_never_played_expire(tmp_path: Path) -> None:
    with closing(limited(tmp_path)) as server:
        idle, seated, opener = (Client(server, name) for name in ("Ida", "Sam", "Ona"))
        idle.http.post("/api/me/tokens")
        seated.open("patterns", "me", "open")
        opener.open("patterns", "open", "open")
        server.stop()
        month_ago = int(time.time() * 1000) - 31 * 86_400_000
        with closing(sqlite3.connect(tmp_path / "mandala.db")) as connection, connection:
            connection.execute("UPDATE players SET made_at = ?", (month_ago,))
        server.start()
        late = Client(server, "Lia")
        deadline = time.monotonic() + 30
        while idle.http.get("/api/me").status_code != 401:
            assert time.monotonic() < deadline
        for each in (seated, opener, late):
            assert each.http.get("/api/me").status_code == 200


# Running games of people


def test_a_running_game_of_people_gets_no_advice(server: Server) -> None:
    ada, ben, eve = Client(server, "Ada"), Client(server, "Ben"), Client(server, "Eve")
    table = ada.open("patterns", "me", "open")["state"]["id"]
    ben.sit(table, 2)
    with ada.at(table) as one, ben.at(table) as two:
        one.receive(), two.receive()
        for _ in range(4):
            mover = one if one.state["actor"] == 1 else two
            number = mover.state["number"]
            mover.command("move", move=mover.state["legal"][0])
            for each in (one, two):
                while each.state["number"] <= number:
                    each.receive()
        record = ada.http.get(f"/api/tables/{table}/record").text
        mover = one if one.state["actor"] == 1 else two
        longer = record.rstrip() + " " + mover.state["legal"][-1] + "\n"
        plies = len(ada.http.get(f"/api/tables/{table}").json()["moves"])
        seats = [{"kind": "me"}, {"kind": "bot", "name": "greedy"}]
        body = {"game": "patterns", "seats": seats, "share": SHARE, "line": record}
        for asked in ({}, {"ply": plies - 2}, {"line": longer}):
            for client in (ada, eve):
                answer = client.http.post("/api/tables", json={**body, **asked})
                assert answer.json().get("code") == "line-running", answer.text
                assert answer.status_code == 409
        assert one.command("resign")["type"] == "done"
    assert eve.http.post("/api/tables", json=body).status_code == 201


def test_no_hints_for_a_game_that_people_play_from_the_same_line(server: Server) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    source = ada.open("patterns", "me", "greedy")["state"]["id"]
    with ada.at(source) as connection:
        connection.receive()
        while connection.state["actor"] != 1:
            connection.receive()
        while (answer := connection.command("resign"))["type"] != "done":
            connection.state["number"] = answer["parts"]["number"]
    record = ada.http.get(f"/api/tables/{source}/record").text
    alone = ada.open("patterns", "me", "greedy", line=record)["state"]
    if alone["actor"] == 2:
        alone = ada.open("patterns", "greedy", "me", line=record)["state"]
    together = ada.open("patterns", "me", "open", line=record)
    with ada.at(alone["id"]) as connection:
        connection.receive()
        assert connection.command("hint")["type"] == "hinted"
        key = together["keys"]["2"]
        assert ben.sit(together["state"]["id"], 2, key).status_code == 201
        assert connection.command("hint")["code"] == "line-running"
