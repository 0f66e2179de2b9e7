"""Models: the seam's implementations, and what is known of each."""
