"""A bot that chooses a random legal move: the protocol is in docs/protocol.md.

Play it in the arena:       mandala arena patterns --players "cmd:python3 random_bot.py,greedy"
Play it on a server's seat: mandala bot --player "cmd:python3 random_bot.py" LINK
"""

import json
import random
import sys


def send(message: dict[str, object]) -> None:
    """Send a message to the host."""
    print(json.dumps(message), flush=True)


legal = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        games = ["mandala", "patterns", "flowers"]
        send({"type": "ready", "protocol": 1, "name": "random", "games": games})
    elif message["type"] == "state":
        # message["record"] is the game so far, with ? for cards that this seat cannot see.
        legal = message["legal"]
    elif message["type"] == "go":
        send({"type": "move", "request": message["request"], "move": random.choice(legal)})
    elif message["type"] == "quit":
        break
    # All other messages can be ignored: newgame, stop, result, and those of later versions.
