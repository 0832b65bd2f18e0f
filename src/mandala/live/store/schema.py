"""The tables of the database. `migrations` must lead to just this; a test compares them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# One row a live table: what lists and searches need. The truth is in its events.
tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(16), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("state", String(8), nullable=False),  # open, running, over
    Column("listed", Boolean, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("names", Text, nullable=False),  # of those who sit there, a line for each seat
    Column("record", Text),  # once the game is over
    Column("actor", Integer),  # the seat that decides
    Column("kinds", Text, nullable=False, server_default=""),  # person, bot or open, as the names
    Column("clock", Text, nullable=False, server_default="{}"),
    Index("tables_by_state", "state", "changed_at"),
)

# The log. That a number exists once is what keeps two processes from going separate ways.
events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(64), nullable=False),  # the client that caused it
    Column("client_id", String(64)),  # its own id for what it sent
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "actor", "client_id", name="events_once"),
)

# Who sits where, to find somebody's games.
sitters = Table(
    "sitters",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(64), nullable=False, index=True),
)

# What must happen by itself, and until when a process has promised to see to it.
due = Table(
    "due",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("leased_until", BigInteger, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

# Tokens of programs that play; only their hash is kept.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("player", String(64), ForeignKey("players.id"), nullable=False, index=True),
    Column("made_at", BigInteger, nullable=False),
)

# Keys of this server, such as the one that cookies are signed with.
keys = Table(
    "keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
