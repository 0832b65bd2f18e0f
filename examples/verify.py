"""Verify the deal of a finished game without using this package.

    mandala verify --draws game.txt | python examples/verify.py game.txt

The record has the commitment, the secret and the key shares; the list has the possible outcomes of
each draw.
"""

import hashlib
import hmac
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    record = file.read()
tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', record, re.MULTILINE))
secret = bytes.fromhex(tags["Secret"])
if hashlib.sha256(secret).hexdigest() != tags["Commitment"]:
    sys.exit("the secret does not belong to the commitment")
parts = [b"mandala deal 1", secret]
for seat in range(1, 5):
    if share := tags.get(f"Share{seat}"):
        parts += [bytes([seat]), bytes.fromhex(share)]
key = hashlib.sha256(b"".join(parts)).digest()
# In the record `+gv` is `+g +v`; a draw begins with one of + * !
played = re.findall(r"[+*!][^+*!\s]+", re.sub(r"^\[.*$|\{[^}]*\}", "", record, flags=re.MULTILINE))
drawn = [each[0] + one for each in played for one in (each[1:] if each[0] == "+" else [each[1:]])]
lines = [line.split() for line in sys.stdin]
if [line[1] for line in lines] != drawn:
    sys.exit("the list does not belong to the record")
for number, move, *possible in lines:
    weights = [(name, int(weight)) for name, weight in (each.rsplit(":", 1) for each in possible)]
    total, attempt, word = sum(weight for _, weight in weights), 0, 2**64
    while word >= 2**64 - 2**64 % total:  # reject numbers that would favour some outcomes
        message = int(number).to_bytes(8, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        attempt += 1
    line = [name for name, weight in weights for _ in range(weight)]
    if line[word % total] != move:
        sys.exit(f"chance number {number} is {line[word % total]}, but {move} was played")
print(f"ok {len(lines)} draws")
