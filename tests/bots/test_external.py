"""Bots that are programs of their own: they play, and their faults cost only their own game."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import platformdirs
import pytest

import mandala
from mandala.bots import external
from mandala.bots.arena import Match, Outcome, play_all, resume
from mandala.bots.external import BotProcess, make_local_player
from mandala.bots.players import Budget, make_player
from mandala.bots.protocol import Go, Move, NewGame, State, Stop
from mandala.text.errors import BotFailed, UnknownPlayer
from tests.cli.tools import run

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON = f"{sys.executable} -u"
READY = '{"type": "ready", "protocol": 1, "name": "bad", "games": ["mandala", "patterns"]}'
# A bot that moves correctly for a while, with a fault in its third answer.
BOT = """
import json, sys, time
moves = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('READY')
    elif message["type"] == "state":
        legal = message["legal"]
    elif message["type"] == "go":
        moves += 1
        answer = {"type": "move", "request": message["request"], "move": legal[0]}
        if moves == 3:
            FAULT
        print(json.dumps(answer))
    elif message["type"] == "quit":
        break
""".replace("READY", READY)
FAULTS = {
    "hangs": ("time.sleep(600)", "did not move in 0.2 seconds"),
    "dies": ('sys.exit("lost my way")', "ended with exit code 1"),
    "floods": ("[print(json.dumps(answer)) for _ in range(10**7)]", "more than"),
    "is illegal": ('answer["move"] = "Z9"', "chose 'Z9', which is not legal"),
    "answers a request to come": ('answer["request"] += 1', "not an answer"),
    "sends half a line": ("sys.stdout.write('{\"type\"'); time.sleep(600)", "did not move"),
    "talks": ("print('let me think'); ", "not an answer: let me think"),
    "sends invalid UTF-8": ("sys.stdout.buffer.write(b'\\xff\\n')", "not an answer"),
    "sends a long line": ("print('x' * 10**6)", "not an answer"),
}


@pytest.fixture(autouse=True)
def _own_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_log_path", lambda _: tmp_path / "logs")
    monkeypatch.setattr(external, "_idle", {})


def bot(tmp_path: Path, fault: str = "pass", source: str = BOT) -> str:
    file = tmp_path / "bot.py"
    file.write_text(source.replace("FAULT", fault))
    return f"cmd:{PYTHON} {file}"


def games(name: str, number: int = 2, seconds: float = 0.2) -> list[Outcome]:
    match = Match("patterns", 2, (name, "random"), number, 3, Budget(seconds))
    try:
        return list(play_all(match, match.tasks, factory=make_local_player))
    finally:
        external.stop_bots()


def test_a_bot_plays_whole_games_in_one_process(tmp_path: Path) -> None:
    name = bot(tmp_path, source=BOT.replace("moves = 0", "moves = 10"))
    outcomes = games(name, 4, seconds=60)
    assert [each.error for each in outcomes] == [None] * 4
    assert {each.record.tags["Seat1"] for each in outcomes} == {name, "random"}
    assert external._idle == {(name.removeprefix("cmd:"), "patterns"): []}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_the_game_and_nothing_else(fault: str, tmp_path: Path) -> None:
    source, reason = FAULTS[fault]
    outcomes = games(bot(tmp_path, source))
    assert len(outcomes) == 2
    for outcome in outcomes:
        assert outcome.win_share == 0
        assert outcome.error is not None
        assert reason in outcome.error
        assert outcome.record.tags["Termination"].startswith("abandoned")


def test_what_a_bot_writes_to_stderr_is_kept(tmp_path: Path) -> None:
    (outcome, _) = games(bot(tmp_path, FAULTS["dies"][0]))
    (log,) = (tmp_path / "logs" / "bots").iterdir()
    assert "lost my way" in log.read_text()
    assert str(log) in str(outcome.error)


def test_an_answer_to_an_old_request_is_ignored(tmp_path: Path) -> None:
    late = 'print(json.dumps({**answer, "request": message["request"] - 1}))'
    outcomes = games(bot(tmp_path, late), seconds=60)
    assert [each.error for each in outcomes] == [None, None]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import time; time.sleep(600)", "did not answer hello with ready"),
        ("import sys; sys.exit(3)", "ended with exit code 3"),
        (f"print('{READY}'.replace('1', '2'))", "speaks version 2 of the protocol"),
        (f"print('{READY}'.replace('1', '0'))", "speaks version 0 of the protocol"),
        (f"print('{READY}'.replace('patterns', 'chess'))", "does not play patterns"),
        ("print('banner\\n' * 30, flush=True); input(), input()", "not an answer: banner"),
        ('print(\'{"type": "ready", "protocol": 1}\')', "not an answer"),
    ],
)
def test_a_bot_that_cannot_start_is_refused(source: str, reason: str, tmp_path: Path) -> None:
    process = BotProcess(bot(tmp_path, source=source).removeprefix("cmd:"))
    with pytest.raises(BotFailed, match=reason):
        process.hello("patterns", timeout=20 if "sleep" not in source else 0.5)


def test_a_banner_before_ready_is_ignored(tmp_path: Path) -> None:
    name = bot(tmp_path, source=BOT.replace("moves = 0", "print('Welcome'); moves = 10"))
    assert [each.error for each in games(name, seconds=60)] == [None, None]


def test_a_bot_that_ignores_quit_is_killed(tmp_path: Path) -> None:
    source = f"import time; print('{READY}'); time.sleep(600)"
    process = BotProcess(bot(tmp_path, source=source).removeprefix("cmd:"))
    process.hello("patterns")
    began = time.monotonic()
    assert not process.stop(0.2)
    assert time.monotonic() - began < 60
    assert process._process.returncode is not None


def test_a_bot_that_never_reads_does_not_block_the_host(tmp_path: Path) -> None:
    source = f"import time; print('{READY}'); time.sleep(600)"
    process = BotProcess(bot(tmp_path, source=source).removeprefix("cmd:"))
    process.hello("patterns")
    for _ in range(100):
        process.send_line(b"x" * 10_000 + b"\n")
    assert not process.stop(0.2)


def test_a_bot_sees_only_what_its_seat_may_see(tmp_path: Path) -> None:
    log = tmp_path / "seen"
    source = BOT.replace("message = json", f"open({str(log)!r}, 'a').write(line); message = json")
    match = Match("mandala", 2, (bot(tmp_path, source=source), "greedy"), 2, 3)
    outcomes = list(play_all(match, match.tasks, factory=make_local_player))
    external.stop_bots()
    assert not any(each.error for each in outcomes)
    for line in log.read_text().splitlines():
        message = json.loads(line)
        assert "seed" not in message
        if message["type"] == "newgame":
            seat = message["seat"]
        elif message["type"] == "state":
            (record,) = mandala.read_records(message["record"])
            view = mandala.replay(record)
            assert isinstance(view, mandala.View)
            assert view.seat in (None, seat)


def test_a_match_with_a_command_is_resumed(tmp_path: Path) -> None:
    name = bot(tmp_path).replace(" -u", ' -u -X "utf8"')
    match = Match("patterns", 2, (name, "random"), 2, 3)
    file = tmp_path / "records"
    file.write_text(
        "".join(
            f"{each.record}\n" for each in play_all(match, match.tasks, factory=make_local_player)
        )
    )
    external.stop_bots()
    assert set(resume(match, file)[0]) == set(match.tasks)


def test_only_commands_of_the_terminal_start_programs() -> None:
    with pytest.raises(UnknownPlayer):
        make_player("cmd:true", 0)


@pytest.mark.parametrize("name", ["cmd:", "cmd:  ", "cmd:python3 'open"])
def test_a_command_that_cannot_be_read(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        make_local_player(name)


# The examples, our own players and the commands


def node() -> str:
    found = shutil.which("node")
    assert found, "Node builds the page, so it is there"
    return found


@pytest.mark.parametrize("example", ["random_bot.py", "random_bot.mjs"])
def test_the_examples_play_in_the_arena(example: str) -> None:
    runner = sys.executable if example.endswith(".py") else node()
    for game, seats in (("mandala", 2), ("patterns", 2), ("flowers", 3)):
        match = Match(game, seats, (f"cmd:{runner} {EXAMPLES / example}", "greedy"), seats, 1)
        outcomes = list(play_all(match, match.tasks, factory=make_local_player))
        assert [each.error for each in outcomes] == [None] * seats
    external.stop_bots()


@pytest.mark.slow
@pytest.mark.parametrize("example", ["random_bot.py", "random_bot.mjs"])
def test_the_examples_play_a_hundred_games(example: str) -> None:
    runner = sys.executable if example.endswith(".py") else node()
    match = Match("patterns", 2, (f"cmd:{runner} {EXAMPLES / example}", "greedy"), 100, 1)
    outcomes = list(play_all(match, match.tasks, factory=make_local_player))
    assert [each.error for each in outcomes] == [None] * 100
    external.stop_bots()


def test_our_players_speak_the_protocol() -> None:
    name = f"cmd:{sys.executable} -m mandala engine --player search:1 --seed 7"
    match = Match("flowers", 2, (name, "random"), 2, 5, Budget(simulations=20))
    outcomes = list(play_all(match, match.tasks, factory=make_local_player))
    external.stop_bots()
    assert [each.error for each in outcomes] == [None, None]


def test_our_search_stops_when_it_is_told_to() -> None:
    position = mandala.new("patterns", seed=1)
    view = position.view(position.actor)
    assert view.seat is not None
    process = BotProcess(f"{sys.executable} -m mandala engine")
    process.hello("patterns")
    process.send(NewGame("patterns", view.spec.rules_version, 2, view.seat))
    process.send(State(str(view.record()), list(view.legal)))
    process.send(Go(1, seconds=500.0))
    assert process.receive(0.5) is None
    process.send(Stop(1))
    answer = process.receive(60)
    assert isinstance(answer, Move)
    assert answer.move in view.legal
    assert process.stop(60)


def test_our_engine_exits_when_it_cannot_answer() -> None:
    process = BotProcess(f"{sys.executable} -m mandala engine --player greedy")
    process.hello("patterns")
    process.send(Go(1))
    with pytest.raises(BotFailed, match="ended with exit code 1"):
        process.receive(60)


def test_protocol_check_passes_an_example_and_names_a_fault(tmp_path: Path) -> None:
    good = run("protocol-check", f"cmd:{sys.executable} {EXAMPLES / 'random_bot.py'}")
    assert good.exit_code == 0, good.stdout
    assert "FAIL" not in good.stdout
    bad = run("protocol-check", bot(tmp_path, FAULTS["talks"][0]))
    assert bad.exit_code == 1
    assert "not an answer: let me think" in bad.stdout


def test_the_arena_refuses_a_bot_that_does_not_start_before_the_first_game() -> None:
    result = run("arena", "patterns", "--players", "cmd:no-such-program,greedy", "--games", "2")
    assert result.exit_code == 1
    assert "could not be started" in result.stderr


def test_the_arena_ends_its_bots(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    source = f"import os; open({str(pid)!r}, 'w').write(str(os.getpid()))\n{BOT}"
    name = bot(tmp_path, source=source)
    command = [sys.executable, "-m", "mandala", "arena", "patterns", "--games", "2"]
    subprocess.run([*command, "--players", f"{name},random"], check=True, capture_output=True)
    status = Path(f"/proc/{pid.read_text()}")
    deadline = time.monotonic() + 60
    while status.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
