"""Positions, views, records and batches: the games as Python objects."""
