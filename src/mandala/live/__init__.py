"""Live tables: events, clocks, fair deals, and how they are stored and shared."""
