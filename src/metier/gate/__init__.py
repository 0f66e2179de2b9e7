"""The gate: the only judge of calls."""
