"""Metrics for Prometheus. No label contains a player, a table or a card."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The metrics of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rooms = Gauge("mandala_rooms", "Tables held in memory", registry=self.registry)
        self.sockets = Gauge("mandala_sockets", "Open WebSockets", registry=self.registry)
        self.bots = Gauge("mandala_bots_waiting", "Pending bot moves", registry=self.registry)
        self.bus = Gauge("mandala_bus_up", "Whether Redis is connected", registry=self.registry)
        self.events: Counts[str] = Counts()
        self.refusals = Counter(
            "mandala_refusals", "Commands refused, by error code", ["code"], registry=self.registry
        )
        self.commit = Histogram("mandala_commit_seconds", "Duration of a commit")
        self.acknowledge = Histogram("mandala_acknowledge_seconds", "From a command to its reply")
        self.registry.register(self)

    def collect(self) -> Iterator[CounterMetricFamily | HistogramMetricFamily]:
        """Yield the metrics updated at every move, kept outside prometheus_client for speed."""
        events = CounterMetricFamily("mandala_events", "Events appended, by kind", labels=["kind"])
        for kind, count in self.events.items():
            events.add_metric([kind], count)
        yield events
        yield self.commit.family()
        yield self.acknowledge.family()

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)


class Histogram:
    """A histogram of durations in seconds."""

    def __init__(self, name: str, description: str) -> None:
        self.name, self.description = name, description
        self.counts, self.total = [0] * (len(BUCKETS_S) + 1), 0.0

    def observe(self, seconds: float) -> None:
        """Add a duration."""
        self.counts[bisect_left(BUCKETS_S, seconds)] += 1
        self.total += seconds

    def family(self) -> HistogramMetricFamily:
        """Return the histogram in the form that Prometheus's client library exports."""
        bounds = (*map(str, map(float, BUCKETS_S)), "+Inf")
        buckets = list(zip(bounds, accumulate(self.counts), strict=True))
        return HistogramMetricFamily(
            self.name, self.description, buckets=buckets, sum_value=self.total
        )
