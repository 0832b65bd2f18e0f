"""The database schema. A test asserts that `migrations` produce it."""

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
    text,
)

metadata = MetaData()

# One row for each live table, for lists and searches, derived from its events.
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
    Column("names", Text, nullable=False),  # a line for each seat
    Column("record", Text),  # once the game is over
    Column("actor", Integer),  # the seat to move
    # Person, bot or open, a line for each seat.
    Column("kinds", Text, nullable=False, server_default=""),
    Column("clock", Text, nullable=False, server_default="{}"),
    # Hash of the setup's chance moves, to find running games with the same moves.
    Column("setup", String(32), index=True),
    Index("tables_by_state", "state", "changed_at"),
)

# The logs. Numbers are unique in a table, so two processes cannot append different events.
events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(64), nullable=False),  # the player, or "server"
    Column("client_id", String(64)),  # the client's id for its command
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "actor", "client_id", name="events_once"),
    # To find the tables that a player opened or sat at; moves have an id of the client.
    Index(
        "events_by_player",
        "actor",
        sqlite_where=text("client_id IS NULL AND actor <> 'server'"),
        postgresql_where=text("client_id IS NULL AND actor <> 'server'"),
    ),
)

# The players on seats, to find a player's games.
sitters = Table(
    "sitters",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(64), nullable=False, index=True),
)

# When the server must act at a table, and until when a process has leased it.
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
    Column("made_at", BigInteger, nullable=False, index=True),
    # How often the player has revoked cookies and personal links.
    Column("revocations", Integer, nullable=False, server_default="0"),
)

# Hashes of bearer tokens.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("player", String(64), ForeignKey("players.id"), nullable=False, index=True),
    Column("made_at", BigInteger, nullable=False),
)

# Secret keys of the server, such as the key for signing cookies, and the time it last ran.
keys = Table(
    "keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
