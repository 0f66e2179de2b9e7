"""The command line: each command parses, makes one call of the app, and shows what came back."""
