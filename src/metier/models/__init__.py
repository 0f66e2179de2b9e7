"""Models: the implementations of the seam (scripts, a person, real providers), and what is known of each."""
