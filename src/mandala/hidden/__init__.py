"""What a seat can infer about hidden cards, and sampling them: determinization."""
