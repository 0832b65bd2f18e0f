"""Columns and indexes for limits: revocations, setups, and events by player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add them; the setup of a running table is filled with its next event."""
    op.add_column("tables", sa.Column("setup", sa.String(32)))
    op.create_index("ix_tables_setup", "tables", ["setup"])
    op.add_column(
        "players", sa.Column("revocations", sa.Integer, nullable=False, server_default="0")
    )
    op.create_index("ix_players_made_at", "players", ["made_at"])
    own = sa.text("client_id IS NULL AND actor <> 'server'")
    op.create_index("events_by_player", "events", ["actor"], sqlite_where=own, postgresql_where=own)
