"""What the server counts, for Prometheus. No label names a person, a table or a card."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rooms = Gauge("mandala_rooms", "Tables held in memory", registry=self.registry)
        self.sockets = Gauge("mandala_sockets", "Open WebSockets", registry=self.registry)
        self.bots = Gauge("mandala_bots_waiting", "Bot moves asked for", registry=self.registry)
        self.bus = Gauge("mandala_bus_up", "Whether Redis is there", registry=self.registry)
        self.events: Counts[str] = Counts()
        self.refusals = Counter(
            "mandala_refusals", "Wishes refused, by code", ["code"], registry=self.registry
        )
        self.commit = Times("mandala_commit_seconds", "From asking to the disk")
        self.acknowledge = Times("mandala_acknowledge_seconds", "From a wish to its answer")
        self.registry.register(self)

    def collect(self) -> Iterator[CounterMetricFamily | HistogramMetricFamily]:
        """What is counted at every move: by hand, since Prometheus's own counters take longer."""
        events = CounterMetricFamily("mandala_events", "Events appended, by kind", labels=["kind"])
        for kind, count in self.events.items():
            events.add_metric([kind], count)
        yield events
        yield self.commit.family()
        yield self.acknowledge.family()

    def text(self) -> bytes:
        """All counters as Prometheus reads them."""
        return generate_latest(self.registry)


class Times:
    """How often something took how long."""

    def __init__(self, name: str, what: str) -> None:
        self.name, self.what = name, what
        self.counts, self.total = [0] * (len(SECONDS) + 1), 0.0

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    def family(self) -> HistogramMetricFamily:
        """All that was counted."""
        limits = (*map(str, map(float, SECONDS)), "+Inf")
        buckets = list(zip(limits, accumulate(self.counts), strict=True))
        return HistogramMetricFamily(self.name, self.what, buckets=buckets, sum_value=self.total)
