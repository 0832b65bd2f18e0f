"""Benchmarks, and scripts that train and tune the bots."""
