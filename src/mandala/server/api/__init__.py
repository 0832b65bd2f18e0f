"""The handlers of the HTTP API, by resource: each module lists its own in `HANDLERS`."""
