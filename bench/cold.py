"""Latency of moves while the server compiles: `./run python -m bench.cold`.

Starts a server with an empty compile cache and plays at tables of all games from the start, while
rules and search are compiled in the background and then taken into use. Prints how long moves took
to be acknowledged until everything was compiled, and for some seconds after that.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from pathlib import Path

from mandala.games import game_ids

from .tables import Load, Phase, Site, connect_client, serving, wait_until_compiled

AFTER_S = 10.0  # how long to play after everything is compiled


async def measure(site: Site, tables: int, rate: float, max_seconds: float) -> None:
    """Play until everything is compiled, and for AFTER_S seconds more; print the latencies."""
    load = Load(site, tables, 1, game_ids())
    await load.open()
    gc.disable()
    began = time.perf_counter()
    playing = asyncio.create_task(load.play(Phase("cold", max_seconds + AFTER_S, rate)))
    try:
        async with asyncio.timeout(max_seconds):
            for game in game_ids():
                await wait_until_compiled(site, game)
                print(f"{game} is compiled after {time.perf_counter() - began:.0f} s", flush=True)
    except TimeoutError:
        print("timeout: not everything is compiled")
    count = len(load.times)
    print_latency("while compiling", load.times[:count])
    await asyncio.sleep(AFTER_S)
    print_latency("after that", load.times[count:])
    playing.cancel()


def print_latency(name: str, times: list[float]) -> None:
    """Print the median, the 99th percentile and the maximum of a list of latencies in seconds."""
    ordered = sorted(1000 * each for each in times)
    p50, p99 = (ordered[int(len(ordered) * quantile)] for quantile in (0.5, 0.99))
    print(
        f"{name:<22} {len(times)} moves   p50 {p50:.1f}  p99 {p99:.1f}  max {ordered[-1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    """Start a server with an empty cache and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=9)
    parser.add_argument("--rate", type=float, default=20.0, help="moves per second over all tables")
    parser.add_argument("--seconds", type=float, default=600.0, help="maximum time for compiling")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder / "mandala.db", MANDALA_CACHE=str(folder / "cache")) as (port, _):
            site = asyncio.run(connect_client(port))
            asyncio.run(measure(site, options.tables, options.rate, options.seconds))


if __name__ == "__main__":
    main()
