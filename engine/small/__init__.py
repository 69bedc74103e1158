"""Small games with known values: they test the search and show how a game is written."""
