"""The engine: whose turn is it, and who works on it? The record is the queue."""
