"""Lists: whose turn it is at a table, who are people and who are bots, and its clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what lists show; of tables from before it is known with their next event."""
    op.add_column("tables", sa.Column("actor", sa.Integer))
    op.add_column("tables", sa.Column("kinds", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("clock", sa.Text, nullable=False, server_default="{}"))
