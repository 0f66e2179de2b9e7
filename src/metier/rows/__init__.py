"""Rows: the app's own tables. Rows by their id, one unit of work for each call, and what a call may not touch."""
