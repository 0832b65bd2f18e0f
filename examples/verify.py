"""Verify the deal of a finished game without using this package.

    mandala verify --draws game.txt | python examples/verify.py game.txt

The record has the commitment, the secret, the key shares and the lines taken back; the list has the
possible outcomes of each draw. `--commitment` and `--share` compare what you noted before the game.
"""

import argparse
import hashlib
import hmac
import re
import sys


def moves_of(text: str) -> list[str]:
    """Split moves; `+gv` is `+g +v`, and a draw begins with one of + * !"""
    words = re.findall(r"[+*!]?[^+*!\s]+", text)
    return [
        m for each in words for m in (["+" + c for c in each[1:]] if each[0] == "+" else [each])
    ]


def is_draw(move: str) -> bool:
    """Whether chance makes this move."""
    return move[0] in "+*!"


def outcome(number: int, weights: list[tuple[str, int]]) -> str:
    """Return the outcome of a chance number."""
    total, attempt, word = sum(weight for _, weight in weights), 0, 2**64
    while word >= 2**64 - 2**64 % total:  # reject numbers that would favour some outcomes
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        attempt += 1
    return [name for name, weight in weights for _ in range(weight)][word % total]


parser = argparse.ArgumentParser()
parser.add_argument("record")
parser.add_argument("--commitment")
parser.add_argument("--share")
options = parser.parse_args()
with open(options.record, encoding="utf-8") as file:
    record = file.read()
tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', record, re.MULTILINE))
moves = moves_of(re.sub(r"^\[.*$|\{[^}]*\}", "", record, flags=re.MULTILINE))

# Commitment and key
secret = bytes.fromhex(tags["Secret"])
if hashlib.sha256(secret).hexdigest() != tags["Commitment"]:
    sys.exit("the secret does not belong to the commitment")
shares = {seat: tags[f"Share{seat}"] for seat in range(1, 5) if f"Share{seat}" in tags}
if options.commitment not in (None, tags["Commitment"]):
    sys.exit("the commitment is not the one you noted")
if options.share is not None and options.share not in shares.values():
    sys.exit("your own share is not in the key")
parts = [b"mandala deal 1", secret]
for seat, share in shares.items():
    parts += [bytes([seat]), bytes.fromhex(share)]
key = hashlib.sha256(b"".join(parts)).digest()

# All moves ever made: those up to the first takeback, then those after each takeback
given, takebacks = int(tags.get("Given", 0)), int(tags.get("Takebacks", 0))
lines = [line.split(":") for line in tags["TakenBack"].split(";")] if "TakenBack" in tags else []
is_older = "Drawn" not in tags and not lines
if not is_older and len(lines) != takebacks:
    sys.exit(f"{takebacks} takebacks are named, but {len(lines)} lines are in the record")
setup = next((n for n in range(given, len(moves)) if not is_draw(moves[n])), len(moves))
segments, standing = [], list(moves)
for plies, line in reversed([(int(plies), moves_of(line)) for plies, line in lines]):
    segment = standing[plies:]
    starts = [each[0] for each in (line, segment) if each]
    if not setup <= plies <= len(standing) or any(is_draw(move) for move in starts):
        sys.exit(f"a takeback to ply {plies} is not possible")
    segments.append((plies, segment))
    standing[plies:] = line
segments.append((0, standing))

# Number the draws in the order in which they were made
made: list[str] = []
numbers: list[int | None] = []  # for each ply that stands, None for decisions
for plies, segment in reversed(segments):
    del numbers[plies:]
    for move in segment:
        is_dealt = is_draw(move) and len(numbers) >= given
        numbers.append(len(made) if is_dealt else None)
        made += [move] if is_dealt else []
ranges = [part.split("-") for part in tags["ChanceNumbers"].split()]
named = [n for ends in ranges for n in range(int(ends[0]), int(ends[-1]) + 1)]
draw_plies = [ply for ply, number in enumerate(numbers) if number is not None]
gaps = [
    place for place, number in enumerate(named) if number != (named[place - 1] + 1 if place else 0)
]
if len(named) != len(draw_plies):
    sys.exit(f"{len(named)} chance numbers are given for {len(draw_plies)} chance moves")
if is_older:  # numbers are missing only where a move may have been taken back
    is_bad = any(draw_plies[n] < setup or draw_plies[n] == draw_plies[n - 1] + 1 for n in gaps)
    if is_bad or len(gaps) > takebacks or sorted(set(named)) != named:
        sys.exit("a chance number was skipped or used twice")
elif named != [n for n in numbers if n is not None] or int(tags["Drawn"]) != len(made):
    sys.exit("a chance number was skipped or used twice")

# The outcomes
listed = [line.split() for line in sys.stdin]
if [move for _, move, *_ in listed] != made:
    sys.exit("the list does not belong to the record")
for number, (_, move, *possible) in zip(
    named if is_older else range(len(made)), listed, strict=True
):
    weights = [(name, int(weight)) for name, weight in (each.rsplit(":", 1) for each in possible)]
    if outcome(number, weights) != move:
        sys.exit(f"chance number {number} is {outcome(number, weights)}, but {move} was played")
if gaps and is_older:
    print(f"draws match: {len(made)} draws; an older record, which may skip numbers")
    sys.exit(3)
print(f"ok {len(made)} draws")
