"""Inference about hidden cards from a seat's view, and determinization by sampling them."""
