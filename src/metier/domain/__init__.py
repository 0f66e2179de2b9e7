"""The nouns of metier: frozen values and the Protocols that one room needs of another. No I/O."""
