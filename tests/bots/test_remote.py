"""A bot that plays on a seat of a remote server."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mandala import MandalaError, new
from mandala.bots.remote import RemoteSeat, seat_of_link, view_of
from mandala.games import find_game, game_ids
from tests.server.harness import Client, Server

EXAMPLES = Path(__file__).parents[2] / "examples"
BOT = "from mandala.cli import main; main()"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    running = Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log")
    yield running
    running.close()


def start_bot(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BOT, "bot", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_bot(*arguments: str) -> tuple[int, str, str]:
    process = start_bot(*arguments)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def token_of(client: Client) -> str:
    return str(client.http.post("/api/me/tokens").json()["key"])


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("seat", [1, 2])
def test_the_received_moves_replay_into_the_seats_view(game: str, seat: int) -> None:
    position = new(game, seed=5)
    for _ in range(6):
        view = position.view(seat)
        assert view_of(game, find_game(game).rules_version, 2, view.moves, seat) == view
        position = position.play(position.legal[0])
        while position.actor == 0:
            position = position.play(next(iter(position.chance)))


@pytest.mark.parametrize("game", ["mandala", "patterns"])
def test_a_bot_plays_a_whole_game_by_its_seat_link(server: Server, game: str) -> None:
    host, guest = Client(server, "Ada"), Client(server, "Ben")
    opening = host.open(game, "random", "open", listed=False)
    table, key = opening["state"]["id"], opening["keys"]["2"]
    link = f"{server.url}/t/{table}?seat=2&key={key}"
    code, out, err = run_bot(link, "--token", token_of(guest), "--player", "greedy")
    assert code == 0, err
    assert out.startswith("over ")
    assert host.http.get(f"/api/tables/{table}").json()["state"] == "over"


def test_a_program_plays_a_whole_game_on_a_seat(server: Server) -> None:
    host, guest = Client(server, "Ada"), Client(server, "Ben")
    opening = host.open("flowers", "random", "open", clock={"kind": "game", "seconds": 600})
    link = f"{server.url}/t/{opening['state']['id']}?seat=2&key={opening['keys']['2']}"
    program = f"cmd:{sys.executable} {EXAMPLES / 'random_bot.py'}"
    code, out, err = run_bot(link, "--token", token_of(guest), "--player", program)
    assert code == 0, err
    assert out.startswith("over ")


def test_a_program_that_fails_resigns_with_a_reason(server: Server, tmp_path: Path) -> None:
    source = (EXAMPLES / "random_bot.py").read_text().replace("random.choice(legal)", '"Z9"')
    (tmp_path / "bot.py").write_text(source)
    host, guest = Client(server, "Ada"), Client(server, "Ben")
    opening = host.open("patterns", "random", "open")
    table = opening["state"]["id"]
    link = f"{server.url}/t/{table}?seat=2&key={opening['keys']['2']}"
    program = f"cmd:{sys.executable} {tmp_path / 'bot.py'}"
    code, _, err = run_bot(link, "--token", token_of(guest), "--player", program)
    assert code == 1
    assert "chose 'Z9', which is not legal" in err
    ending = host.http.get(f"/api/tables/{table}").json()["ending"]
    assert (ending["how"], ending["seat"]) == ("resigned", 2)


def test_a_server_starts_no_programs_for_its_clients(server: Server) -> None:
    host = Client(server, "Ada")
    refused = host.http.post(
        "/api/tables",
        json={
            "game": "patterns",
            "seats": [{"kind": "me"}, {"kind": "bot", "name": "cmd:true"}],
            "share": "00" * 32,
        },
    )
    assert refused.status_code == 400
    assert refused.json()["code"] == "unknown-player"


def test_a_bot_reconnects_after_a_restart(tmp_path: Path) -> None:
    with closing(Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log")) as server:
        host = Client(server, "Ada")
        table = host.open("patterns", "me", "random")["state"]["id"]
        options = ["--server", server.url, "--table", table, "--seat", "1", "--player", "greedy"]
        process = start_bot(*options, "--token", token_of(host))
        number = 0
        while number < 8:
            time.sleep(0.05)  # as often as it is allowed to ask
            number = host.http.get(f"/api/tables/{table}").json()["number"]
        server.stop(9)
        server.start()
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert out.startswith("over ")
        assert "trying again" in err


def test_errors_are_reported_in_one_line(server: Server) -> None:
    host, guest = Client(server, "Ada"), Client(server, "Ben")
    table = host.open("mandala", "me", "random")["state"]["id"]
    token = token_of(guest)
    seat = ["--table", table, "--seat", "1"]
    for arguments, word in (
        (["--server", "http://127.0.0.1:1", *seat, "--token", token], "no mandala server"),
        (["--server", "nonsense", *seat, "--token", token], "no mandala server"),
        (["--server", server.url, *seat, "--token", "wrong"], "who-are-you"),
        (["--server", server.url, *seat, "--token", token], "has-started"),
        (["--server", server.url, "--table", "none", "--seat", "1", "--token", token], "no-such"),
        (["--server", server.url, "--token", token], "link"),
        (["nonsense", "--token", token], "link"),
        (["--server", server.url, *seat, "--token", token, "--player", "nobody"], "nobody"),
    ):
        code, out, err = run_bot(*arguments)
        assert (code, out) == (1, ""), arguments
        assert word in err, err
        assert len(err.strip().splitlines()) == 1


def test_a_link_names_a_seat() -> None:
    seat = RemoteSeat("https://games.example/home", "ab_C", 2, "k")
    assert seat_of_link("https://games.example/home/t/ab_C?seat=2&key=k") == seat
    with pytest.raises(MandalaError):
        seat_of_link("https://games.example/t/ab_C")
