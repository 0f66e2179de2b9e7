"""The app: the one place that wires the rooms, and what it hands out."""
