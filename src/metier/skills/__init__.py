"""The room where skills are found, read and named: sources, reader, files, digest, catalogue."""
