"""Alembic's entrance: it is handed a connection, never an address."""

from __future__ import annotations

from alembic import context

from mandala.live.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
