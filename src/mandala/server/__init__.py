"""HTTP and WebSocket: decode, ask who it is, hand to a table, send each seat its own view."""
