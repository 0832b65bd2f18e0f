"""Whether a move ever waits for the compiler: `./run python -m bench.cold`.

Starts a server with an empty compile cache and plays tables of all games from the first moment on,
as people do, while rules and search are compiled on the side and then taken into use. Prints how
long moves took to be acknowledged until everything was compiled, and for some seconds after that.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from pathlib import Path

from mandala.games import game_ids

from .tables import Load, Phase, Site, compiled, introduced, serving

AFTER = 10.0  # seconds with everything compiled


async def measure(site: Site, tables: int, rate: float, most: float) -> None:
    load = Load(site, tables, 1, game_ids())
    await load.open()
    gc.disable()
    began = time.perf_counter()
    playing = asyncio.create_task(load.play(Phase("cold", most + AFTER, rate)))
    try:
        async with asyncio.timeout(most):
            for game in game_ids():
                await compiled(site, game)
                print(f"{game} is compiled after {time.perf_counter() - began:.0f} s", flush=True)
    except TimeoutError:
        print("not everything was compiled in this time")
    count = len(load.times)
    told("while compiling", load.times[:count])
    await asyncio.sleep(AFTER)
    told("after that", load.times[count:])
    playing.cancel()


def told(name: str, times: list[float]) -> None:
    ordered = sorted(1000 * each for each in times)
    p50, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.99))
    print(
        f"{name:<22} {len(times)} moves   p50 {p50:.1f}  p99 {p99:.1f}  max {ordered[-1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=9)
    parser.add_argument("--rate", type=float, default=20.0, help="moves a second, all together")
    parser.add_argument("--seconds", type=float, default=600.0, help="at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder / "mandala.db", MANDALA_CACHE=str(folder / "cache")) as (port, _):
            site = asyncio.run(introduced(port))
            asyncio.run(measure(site, options.tables, options.rate, options.seconds))


if __name__ == "__main__":
    main()
