"""The HTTP and WebSocket API, tested on a real server process and database."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from mandala.core.record import read_records
from mandala.live import fair
from mandala.server.limits import Limits
from tests.server.harness import SHARE, Client, Connection, Server, socket_at


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    limits = Limits(
        bot_delay_s=0,
        bot_only_delay_s=0,
        new_guests_per_hour=1_000,
        new_guests_per_day=1_000,
        check_burst=10_000,
    )
    running = Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log", limits)
    yield running
    assert running.close() in (0, -15)
    text = (folder / "log").read_text()
    assert "Traceback" not in text, text
    for line in text.splitlines():
        json.loads(line)


def play_on(connection: Connection, choices: random.Random) -> bool:
    """Make a random move if it is the client's turn; return whether the game is running."""
    while (
        connection.state["state"] == "running"
        and connection.state["actor"] != connection.state["your_seat"]
    ):
        connection.receive()
    if connection.state["state"] != "running":
        return False
    answer = connection.command("move", move=choices.choice(connection.state["legal"]))
    assert answer["type"] == "done", answer
    return True


def resign(connection: Connection) -> None:
    """Resign, with retries because bots may move at the same time."""
    while (answer := connection.command("resign"))["type"] != "done":
        connection.state["number"] = answer["parts"]["number"]


def test_a_whole_game_against_a_bot_with_proof(server: Server) -> None:
    ada = Client(server, "Ada")
    opening = ada.open("mandala", "me", "greedy")
    table, choices = opening["state"]["id"], random.Random(1)
    with ada.at(table) as connection:
        assert connection.receive()["type"] == "welcome"
        commitment = connection.state["commitment"]
        while play_on(connection, choices):
            pass
        assert connection.state["ending"]["how"] == "over"
    (record,) = read_records(ada.http.get(f"/api/tables/{table}/record").text.splitlines())
    assert fair.verify(record).draws > 20
    assert record.tags["Commitment"] == commitment
    assert record.tags["Share1"] == SHARE
    over = ada.http.get("/api/tables", params={"state": "over", "name": "ada"}).json()
    assert table in [each["id"] for each in over]


def test_two_people_joined_by_seat_link_see_only_their_own_cards(server: Server) -> None:
    ada, ben, eve = Client(server, "Ada"), Client(server, "Ben"), Client(server, "Eve")
    opening = ada.open("mandala", "me", "open", listed=False)
    table, key = opening["state"]["id"], opening["keys"]["2"]
    assert opening["state"]["state"] == "open"
    assert eve.sit(table, 2).json()["code"] == "bad-key"
    assert eve.sit(table, 2, key[:-1]).json()["code"] == "bad-key"
    other = eve.open("mandala", "me", "open", listed=False)
    assert eve.sit(table, 2, other["keys"]["2"]).json()["code"] == "bad-key"
    assert ben.sit(table, 2, key).status_code == 201
    assert eve.sit(table, 2, key).status_code == 409
    choices = random.Random(2)
    with ada.at(table) as one, ben.at(table) as two, eve.at(table) as watching:
        connections = (one, two, watching)
        for connection in connections:
            connection.receive()
        for _ in range(12):
            mover = one if one.state["actor"] == 1 else two
            if mover.command("move", move=choices.choice(mover.state["legal"]))["type"] != "done":
                pytest.fail("a legal move was refused")
            number = mover.state["number"]
            for connection in connections:
                while connection.state["number"] < number:
                    connection.receive()
        assert "+?" in one.frames[0]
        assert (
            one.state["board"]["seats"][1]["hand"][:6]
            == two.state["board"]["seats"][0]["hand"][:6]
            == [0] * 6
        )
        assert watching.state["board"]["seats"][0]["hand"][:6] == [0] * 6
        assert watching.state["legal"] == []
        assert watching.command("move", move="A1r")["code"] == "only-watching"
        assert one.command("resign")["type"] == "done"
        while watching.state["state"] == "running":
            watching.receive()
        assert watching.state["ending"] == {"how": "resigned", "seat": 1, "winners": [2]}
        assert "+?" not in watching.state["moves"]


def test_a_modified_client_is_refused(server: Server) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    table = ada.open("patterns", "me", "open")["state"]["id"]
    ben.sit(table, 2)
    with ada.at(table, seat=2) as connection:
        assert connection.receive()["code"] == "not-your-seat"
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/record"):
        assert ada.http.get(path, params={"seat": 2}).status_code == 403
    with ada.at(table) as one, ben.at(table) as two:
        one.receive(), two.receive()
        assert one.command("move", move="Od4")["code"] == "not-your-turn"
        move = two.state["legal"][0]
        wrong = two.command("move", move="Od4")
        assert (wrong["code"], wrong["legal"]) == ("give-first", two.state["legal"])
        assert two.command("why", move="Od4")["code"] == "give-first"
        assert two.command("why", move=move)["code"] is None
        why = one.command("why", move="Od4")
        assert (why["type"], why["code"]) == ("because", "not-your-turn")
        assert why["text"] == "it is not your turn"
        assert two.command("move", move="e4")["code"] == "no-move"
        old = two.state["number"]
        command = {"type": "move", "id": "mine", "number": old, "move": move}
        answers = []
        for _ in range(3):
            two.socket.send(json.dumps(command))
            answers.append(two.receive_until("done", "error"))
        assert answers[0]["type"] == "done"
        assert answers[0] == answers[1] == answers[2]
        late = json.dumps({"type": "resign", "id": "late", "number": old})
        two.socket.send(late)
        assert two.receive_until("done", "error")["code"] == "too-late"
        forged = json.dumps({"type": "resign", "id": "forged", "number": old + 1, "seat": 1})
        two.socket.send(forged)
        assert two.receive_until("done")["number"] == old + 2
        while one.state["state"] == "running":
            one.receive()
        assert one.state["ending"]["seat"] == 2


def test_a_reconnecting_client_receives_missed_events(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("flowers", "me", "random", "random")["state"]["id"]
    choices = random.Random(3)
    with ada.at(table) as connection:
        connection.receive()
        seen = connection.state["number"]
        for _ in range(4):
            assert play_on(connection, choices)
        number = connection.state["number"]
    with ada.at(table, after=seen, language="de") as connection:
        welcome = connection.receive()
        assert all(news["narration"] for news in welcome["missed"])
        assert welcome["missed"][0]["narration"][0]["text"].startswith("Du legst ")
        numbers = [news["number"] for news in welcome["missed"]]
        assert numbers == list(range(seen + 1, welcome["state"]["number"] + 1))
        assert welcome["state"]["number"] >= number
        plies = [ply for event in welcome["missed"] for ply in event["plies"]]
        assert welcome["state"]["moves"][-len(plies) :] == plies
    with ada.at(table, after=10**9) as connection:
        assert connection.receive()["missed"] == []


def test_takeback_and_rematch_against_a_bot(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("patterns", "random", "me")["state"]["id"]
    with ada.at(table) as connection:
        connection.receive()
        assert play_on(connection, random.Random(4))
        while connection.state["actor"] != 2:
            connection.receive()
        assert connection.command("takeback")["type"] == "done"
        assert (connection.state["takebacks"], connection.state["actor"]) == (1, 2)
        assert connection.command("resign")["type"] == "done"
        assert connection.command("rematch")["type"] == "done"
        while not connection.state["rematched"]:
            connection.receive()
        following = connection.state["rematched"]
    assert ada.sit(following, 2).json()["code"] == "seat-taken"
    answer = ada.sit(following, 1)
    assert answer.status_code == 201, answer.text
    assert answer.json()["seats"][1]["name"] == "random"


def test_one_person_on_both_seats_selects_a_view(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "me")["state"]["id"]
    assert ada.http.get(f"/api/tables/{table}").json()["your_seat"] is None
    for seat in (1, 2):
        state = ada.http.get(f"/api/tables/{table}", params={"seat": seat}).json()
        assert sum(state["board"]["seats"][seat - 1]["hand"][:6]) == 6
        assert sum(state["board"]["seats"][2 - seat]["hand"][:6]) == 0


def test_an_expired_clock_ends_the_game(server: Server) -> None:
    ada = Client(server, "Ada")
    clock = {"kind": "game", "seconds": 5, "increment": 0}
    table = ada.open("mandala", "me", "greedy", clock=clock)["state"]["id"]
    with ada.at(table) as connection:
        connection.receive()
        news = connection.receive()
        assert (news["kind"], news["seat"]) == ("flagged", 1)
        assert connection.state["ending"] == {"how": "time", "seat": 1, "winners": [2]}


def test_a_hint_requires_the_turn_and_only_bots_as_opponents(server: Server) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    table = ada.open("flowers", "me", "greedy", "search:1")["state"]["id"]
    with ada.at(table, language="de") as connection, ben.at(table) as watching:
        connection.receive(), watching.receive()
        number = connection.state["number"]
        hint = connection.command("hint")
        assert (hint["type"], hint["number"]) == ("hinted", number)
        assert hint["move"] in connection.state["legal"]
        assert hint["text"].startswith("Du ")
        assert hint["share"] is None or 0 <= hint["share"] <= 1
        assert watching.command("hint")["code"] == "only-watching"
        connection.send_at_once(
            *(json.dumps({"type": "hint", "id": name}) for name in ("h1", "h2"))
        )
        answers = {
            (each := connection.receive_until("hinted", "error"))["id"]: each for _ in range(2)
        }
        assert answers["h2"]["code"] == "hint-open"
        assert answers["h1"]["type"] == "hinted"
    table = ada.open("patterns", "me", "open")["state"]["id"]
    ben.sit(table, 2)
    with ben.at(table) as connection:
        connection.receive()
        assert connection.command("hint")["code"] == "no-hints"
    table = ada.open("patterns", "me", "me")["state"]["id"]
    with ada.at(table, seat=2) as connection:
        connection.receive()
        assert connection.command("hint")["code"] == "no-hints"


def test_table_lists_contain_players_and_turn(server: Server) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    clock = {"kind": "move", "seconds": 3600, "increment": 0}
    table = ada.open("flowers", "me", "greedy", "open", clock=clock)["state"]["id"]

    def listed(client: Client, path: str, state: str) -> dict[str, Any]:
        found = client.http.get(path, params={"state": state}).json()
        return next(each for each in found if each["id"] == table)

    waiting = listed(ben, "/api/tables", "open")
    assert [each["kind"] for each in waiting["sitters"]] == ["person", "bot", "open"]
    assert waiting["names"] == ["Ada", "greedy"]
    assert (waiting["your_seats"], waiting["actor"]) == ([], None)
    assert waiting["clock"] == clock
    assert ben.sit(table, 3).status_code == 201
    mine, theirs = (listed(each, "/api/me/tables", "running") for each in (ada, ben))
    assert (mine["your_seats"], mine["your_turn"], mine["actor"]) == ([1], True, 1)
    assert (theirs["your_seats"], theirs["your_turn"]) == ([3], False)
    assert listed(ada, "/api/tables", "running")["your_turn"]
    stranger = httpx.get(f"{server.url}/api/tables", params={"state": "running"}).json()
    assert all(each["your_seats"] == [] and not each["your_turn"] for each in stranger)


def test_presence_is_sent_to_all_connections(server: Server) -> None:
    ada, ben, eve = Client(server, "Ada"), Client(server, "Ben"), Client(server, "Eve")
    table = ada.open("patterns", "me", "open")["state"]["id"]
    ben.sit(table, 2)
    with ada.at(table) as one:
        one.receive()
        one.wait_for_presence([1], 0)
        with ben.at(table) as two, eve.at(table) as watching:
            for connection in (two, watching):
                connection.receive()
            for connection in (one, two, watching):
                connection.wait_for_presence([1, 2], 1)
        one.wait_for_presence([1], 0)


def test_a_replay_shows_only_what_the_player_may_see(server: Server) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    table = ada.open("mandala", "me", "open")["state"]["id"]
    path = f"/api/tables/{table}/replay"
    assert ada.http.get(path).json()["code"] == "no-record-yet"
    ben.sit(table, 2)
    running = ada.http.get(path, params={"view": 2}).json()
    assert (running["view"], running["hidden"]) == (1, True)
    assert running["frames"][-1]["board"]["seats"][1]["hand"][:6] == [0] * 6
    assert ada.http.get(path, params={"seat": 2}).json()["code"] == "not-your-seat"
    assert httpx.get(server.url + path).json()["view"] is None
    with ada.at(table) as connection:
        connection.receive()
        assert connection.command("resign")["type"] == "done"
    whole = ada.http.get(path, params={"language": "de"})
    assert whole.headers["content-encoding"] == "gzip"
    assert (whole.json()["hidden"], whole.json()["winners"]) == (False, [2])
    assert ada.http.get(path, params={"view": 2}).json()["view"] == 2
    record = ada.http.get(f"/api/tables/{table}/record").text
    posted = httpx.post(f"{server.url}/api/replays?language=de", json={"record": record}).json()
    assert posted == whole.json()
    wrong = httpx.post(f"{server.url}/api/replays", json={"record": record + " A1x"})
    assert wrong.status_code == 400
    assert (wrong.json()["code"], wrong.json()["column"]) == ("no-move", 2)
    question = {"record": record, "move": "Tr", "ply": 20}
    because = httpx.post(f"{server.url}/api/why", json=question).json()
    assert because["code"] == "not-dissolving"


def test_a_what_if_table_continues_from_a_record(server: Server, tmp_path: Path) -> None:
    ada = Client(server, "Ada")
    table = ada.open("patterns", "me", "greedy")["state"]["id"]
    with ada.at(table) as connection:
        connection.receive()
        given = len(connection.state["moves"]) + 2  # no game is over so soon
        assert play_on(connection, random.Random(5))
        assert play_on(connection, random.Random(5))
        resign(connection)
    record = ada.http.get(f"/api/tables/{table}/record").text
    state = ada.open("patterns", "me", "greedy", line=record, ply=given)["state"]
    assert (state["given"], state["listed"], state["moves"][:given]) == (
        given,
        False,
        ada.http.get(f"/api/tables/{table}").json()["moves"][:given],
    )
    following = state["id"]
    with ada.at(following) as connection:
        connection.receive()
        assert connection.command("resign")["type"] == "done"
    file = tmp_path / "record.txt"
    file.write_text(ada.http.get(f"/api/tables/{following}/record").text)
    command = [sys.executable, "-c", "from mandala.cli import main; main()", "verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"takes over {given} plies from another game" in done.stdout
    body = {"game": "mandala", "seats": [{"kind": "bot", "name": "greedy"}] * 2, "line": record}
    assert ada.http.post("/api/tables", json=body).json()["code"] == "line-game"


def test_the_proof_contains_everything_needed_to_verify_a_deal(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("flowers", "me", "greedy")["state"]["id"]
    path = f"/api/tables/{table}/proof"
    assert ada.http.get(path).json()["code"] == "proof-later"
    with ada.at(table) as connection:
        connection.receive()
        play_on(connection, random.Random(6))
        resign(connection)
    proof = ada.http.get(path).json()
    secret = bytes.fromhex(proof["secret"])
    assert (
        hashlib.sha256(secret).hexdigest() == proof["commitment"] == connection.state["commitment"]
    )
    assert proof["shares"] == {"1": SHARE}
    key = fair.key_of(secret, {1: bytes.fromhex(SHARE)})
    assert len(proof["draws"]) > 16
    for draw in proof["draws"]:
        weights = dict(zip(draw["outcomes"], draw["weights"], strict=True))
        assert fair.outcome(key, draw["number"], weights) == draw["move"]
    moves = ada.http.get(f"/api/tables/{table}").json()["moves"]
    assert [moves[draw["ply"] - 1] for draw in proof["draws"]] == [
        draw["move"] for draw in proof["draws"]
    ]


def test_a_lesson_over_http(server: Server) -> None:
    lesson = httpx.get(f"{server.url}/api/lessons/mandala", params={"language": "de"}).json()
    assert lesson["steps"][0]["title"] == "Eine Karte ins Zentrum"
    path = f"{server.url}/api/lessons/mandala/1"
    assert httpx.post(path, json={"move": "A1g"}).json()["accepted"]
    assert httpx.post(path, json={"move": "B1g"}).json()["code"] == "in-centre"
    assert httpx.post(path, json={"move": "e4"}).json()["code"] == "no-move"
    rules = httpx.get(f"{server.url}/api/rules/flowers", params={"language": "de"}).json()
    assert rules["sections"][0]["title"] == "Worum es geht"
    assert httpx.get(f"{server.url}/api/rules/chess").json()["code"] == "unknown-game"
    assert httpx.get(f"{server.url}/api/lessons/chess").json()["code"] == "unknown-game"
    missing = httpx.post(f"{server.url}/api/lessons/mandala/99", json={"move": "A1g"})
    assert (missing.status_code, missing.json()["code"]) == (404, "no-such-step")


# People


def test_only_valid_cookies_links_and_tokens_identify_a_player(server: Server) -> None:
    ada = Client(server, "Ada")
    link = ada.http.get("/api/me/link").json()["key"]
    with httpx.Client(base_url=server.url) as other:
        assert other.get("/api/me").json()["code"] == "who-are-you"
        assert other.post("/api/me/link", json={"key": link + "x"}).json()["code"] == "bad-key"
        answer = other.post("/api/me/link", json={"key": link})
        assert answer.json()["id"] == ada.id
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert other.get("/api/me").json() == {"id": ada.id, "name": "Ada"}
    token = ada.http.post("/api/me/tokens").json()["key"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/me", headers=bearer).json()["id"] == ada.id
    wrong = {"Authorization": f"Bearer {token}x"}
    assert httpx.get(f"{server.url}/api/me", headers=wrong).status_code == 401
    forged = {"Cookie": f"mandala={ada.id}.{'A' * 32}"}
    assert httpx.get(f"{server.url}/api/me", headers=forged).status_code == 401
    table = ada.open("patterns", "me", "random")["state"]["id"]
    with socket_at(server, table, bearer) as connection:
        assert connection.receive()["state"]["your_seat"] == 1


def test_deleting_a_player_removes_their_name(server: Server) -> None:
    gone = Client(server, "Zebedee")
    table = gone.open("patterns", "me", "random")["state"]["id"]
    gone.http.patch("/api/me", json={"name": "Zeb"})
    assert gone.http.get("/api/me").json()["name"] == "Zeb"
    assert gone.http.delete("/api/me").status_code == 204
    assert "Zeb" not in httpx.get(f"{server.url}/api/tables/{table}").text
    assert gone.http.get("/api/me").status_code == 401


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1"])
def test_cross_origin_requests_are_refused(server: Server, origin: str) -> None:
    ada = Client(server, "Ada")
    answer = ada.http.post("/api/me/tokens", headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    table = ada.open("patterns", "me", "random")["state"]["id"]
    with socket_at(server, table, {"Origin": origin}) as connection:
        assert connection.receive()["code"] == "wrong-origin"
    with socket_at(server, table, {"Origin": server.url}) as connection:
        assert connection.receive()["type"] == "welcome"


# Wrong requests


WRONG: list[tuple[str, str, Any, int, str]] = [
    ("POST", "/api/me", {"name": ""}, 400, "bad-name"),
    ("POST", "/api/me", {"name": 7}, 400, "bad-request"),
    ("POST", "/api/me", ["name"], 400, "bad-request"),
    ("GET", "/api/tables/nothing", None, 404, "no-such-table"),
    ("GET", "/api/tables/no%00thing", None, 404, "no-such-table"),
    ("GET", "/api/tables?state=lost", None, 400, "bad-request"),
    ("GET", "/api/tables?game=chess", None, 400, "unknown-game"),
    ("GET", "/api/tables?before=99999999999999999999", None, 400, "bad-request"),
    ("POST", "/api/tables", {"game": "chess", "seats": []}, 400, "unknown-game"),
    ("POST", "/api/tables", {"game": "mandala", "seats": [{"kind": "me"}]}, 400, "wrong-seats"),
    ("GET", "/nothing.js", None, 404, "not-found"),
    ("GET", "/api/nothing", None, 404, "not-found"),
    ("GET", "/assets/../../../pyproject.toml", None, 404, "not-found"),
    ("DELETE", "/api/games", None, 405, "bad-request"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), WRONG)
def test_invalid_requests_get_clear_errors(
    server: Server, method: str, path: str, body: Any, status: int, code: str
) -> None:
    ada = Client(server, "Ada")
    answer = ada.http.request(method, path, json=body, headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert "traceback" not in answer.text.lower()


def test_opening_a_table_requires_known_bots_and_a_share(server: Server) -> None:
    ada = Client(server, "Ada")
    seats = [{"kind": "me"}, {"kind": "bot", "name": "oracle"}]
    body: dict[str, Any] = {"game": "mandala", "seats": seats, "share": SHARE}
    assert ada.http.post("/api/tables", json=body).json()["code"] == "unknown-player"
    seats[1]["name"] = "greedy"
    for share in ("", "zz", SHARE[2:]):
        answer = ada.http.post("/api/tables", json={**body, "share": share})
        assert answer.json()["code"] == "bad-share"


BAD_MESSAGES: list[str | bytes] = [
    "", "{", "[]", "null", "7", '"move"', "{}", '{"type":"move"}', '{"type":"castle"}',
    '{"type":"move","id":"","number":1,"move":"A1r"}',
    '{"type":"move","id":"a b","number":1,"move":"A1r"}',
    '{"type":"move","id":"a","number":"1","move":"A1r"}',
    '{"type":"move","id":"a","number":1e99,"move":"A1r"}',
    '{"type":"why","id":"a","move":null}',
    "[" * 2_000, b"\xff\xfe", b"{}", '{"type":"ping","id":"\\ud800"}{',
]  # fmt: skip


def test_bad_messages_get_an_error_and_the_connection_stays_open(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "greedy")["state"]["id"]
    with ada.at(table, language="de") as connection:
        connection.receive()
        for message in BAD_MESSAGES:
            connection.socket.send(message)
            answer = connection.receive()
            assert (answer["type"], answer["code"]) == ("error", "bad-message"), message
        assert "Nachricht" in answer["text"]
        assert connection.command("ping")["type"] == "pong"


def test_a_message_that_is_too_large_closes_the_connection(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "greedy")["state"]["id"]
    with ada.at(table) as connection:
        connection.receive()
        connection.socket.send("x" * 5_000)
        with pytest.raises(ConnectionClosed):
            connection.receive()


# The server itself


def test_health_metrics_and_api_documents(server: Server) -> None:
    assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}
    metrics = httpx.get(f"{server.url}/metrics").text
    for name in ("mandala_rooms", "mandala_commit_seconds_bucket", "mandala_events_total"):
        assert name in metrics
    document = httpx.get(f"{server.url}/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert "TableState" in json.dumps(document["components"])
    page = httpx.get(f"{server.url}/docs")
    assert "/api/tables" in page.text
    assert "<script" not in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "server" not in page.headers


def test_startup_errors_are_one_line(server: Server, tmp_path: Path) -> None:
    junk, newer, binary = (tmp_path / name for name in ("junk.db", "newer.db", "imprint"))
    junk.write_bytes(b"no database" * 100)
    binary.write_bytes(b"\xff\xfe")
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    unreachable, two = "postgresql+asyncpg://ada:secret@127.0.0.1:1/d", ("--workers", "2")
    cases = [
        (("--port", str(server.port)), "--port"),
        (("--host", "1.2.3.4"), "on '1.2.3.4'"),
        (("--imprint", str(binary)), f"{binary}: this is not UTF-8 text"),
        (("--database", "x"), "sqlite:///FILE"),
        (("--database", "sqlite://"), "sqlite:///FILE"),
        (("--database", f"sqlite:///{junk}"), f"{junk} cannot be opened: file is not a database"),
        (("--database", f"sqlite:///{tmp_path}"), "cannot be opened: "),
        (("--database", f"sqlite:///{newer}"), "version 9999"),
        (("--database", server.database), f"in use, by {server.url}"),
        (("--database", unreachable), "ada:***@127.0.0.1:1/d cannot be opened"),
        (("--database", unreachable, "--redis", "redis://127.0.0.1:1", *two), "cannot be opened"),
    ]
    start = [sys.executable, "-c", "from mandala.cli import main; main()", "serve", "--port", "0"]
    for more, words in cases:
        done = subprocess.run([*start, *more], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, ""), more
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_bots_wait_before_moving(tmp_path: Path) -> None:
    limits = Limits(bot_delay_s=0.3, bot_only_delay_s=1.5)
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with closing(Server(database, tmp_path / "log", limits)) as server:
        ada = Client(server, "Ada")

        def gaps(*seats: str) -> list[float]:
            table = ada.open("patterns", *seats)["state"]["id"]
            with ada.at(table) as connection:
                at = [connection.receive()["state"]["since"]]
                for _ in range(3):
                    if connection.state["actor"] == connection.state["your_seat"]:
                        play_on(connection, random.Random(1))
                        at.append(connection.state["since"])
                        continue
                    at.append(connection.receive_until("event")["at"])
            return [(later - earlier) / 1000 for earlier, later in pairwise(at)]

        assert min(gaps("greedy", "greedy")) >= 1.5
        mixed = gaps("greedy", "me")
        assert 0.3 <= mixed[1] < 1.5


def test_stopping_disconnects_clients_and_loses_nothing(tmp_path: Path) -> None:
    with closing(Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log")) as server:
        ada = Client(server, "Ada")
        table = ada.open("patterns", "me", "me")["state"]["id"]
        with ada.at(table, seat=2) as connection:
            connection.receive()
            assert connection.command("move", move=connection.state["legal"][0])["type"] == "done"
            number = connection.state["number"]
            server.stop()
            with pytest.raises(ConnectionClosed) as closed:
                connection.receive()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        server.start()
        with ada.at(table, seat=1, after=number) as connection:
            assert connection.receive()["state"]["number"] == number
            assert connection.command("move", move=connection.state["legal"][0])["type"] == "done"
