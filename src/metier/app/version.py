"""Which version of metier is this? A test holds it equal to the package's."""

__version__ = "0.1.0"
