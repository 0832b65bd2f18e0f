"""The HTTP and WebSocket server: identifies the player, runs commands, sends each seat its view."""
