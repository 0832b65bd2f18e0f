// A bot that chooses a random legal move: the protocol is in docs/protocol.md.
//
// Play it in the arena:       mandala arena patterns --players "cmd:node random_bot.mjs,greedy"
// Play it on a server's seat: mandala bot --player "cmd:node random_bot.mjs" LINK

import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let legal = [];

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    const games = ["mandala", "patterns", "flowers"];
    send({ type: "ready", protocol: 1, name: "random", games });
  } else if (message.type === "state") {
    // message.record is the game so far, with ? for cards that this seat cannot see.
    legal = message.legal;
  } else if (message.type === "go") {
    const move = legal[Math.floor(Math.random() * legal.length)];
    send({ type: "move", request: message.request, move });
  } else if (message.type === "quit") {
    break;
  }
  // All other messages can be ignored: newgame, stop, result, and those of later versions.
}
