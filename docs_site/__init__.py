"""How the docs become a site: the pages as written, and two pages that are made from the program itself."""
