"""What we measure, and the peers we measure against."""
