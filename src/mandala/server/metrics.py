"""What the server counts, for Prometheus. No label names a person, a table or a card."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rooms = Gauge("mandala_rooms", "Tables held in memory", registry=self.registry)
        self.sockets = Gauge("mandala_sockets", "Open WebSockets", registry=self.registry)
        self.bots = Gauge("mandala_bots_waiting", "Bot moves asked for", registry=self.registry)
        self.bus = Gauge("mandala_bus_up", "Whether Redis is there", registry=self.registry)
        self.events = Counter(
            "mandala_events", "Events appended, by kind", ["kind"], registry=self.registry
        )
        self.refusals = Counter(
            "mandala_refusals", "Wishes refused, by code", ["code"], registry=self.registry
        )
        self.commit = Histogram(
            "mandala_commit_seconds",
            "From asking to the disk",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.acknowledge = Histogram(
            "mandala_acknowledge_seconds",
            "From a wish to its answer",
            buckets=SECONDS,
            registry=self.registry,
        )

    def text(self) -> bytes:
        """All counters as Prometheus reads them."""
        return generate_latest(self.registry)
