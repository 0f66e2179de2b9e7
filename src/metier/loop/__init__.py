"""The loop: a model, its calls, and the end."""
