"""Scripts of skills: run under limits, with nothing left behind and the output kept whole."""
