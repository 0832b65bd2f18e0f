"""Entry point for Alembic: uses the connection it is given, never a URL."""

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
