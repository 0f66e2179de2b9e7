"""Agents: who acts, for whom, by whose leave, and how they are given work."""
