"""Columns for lists: the seat to move, the kinds of sitters, and the clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; existing rows are filled with their table's next event."""
    op.add_column("tables", sa.Column("actor", sa.Integer))
    op.add_column("tables", sa.Column("kinds", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("clock", sa.Text, nullable=False, server_default="{}"))
