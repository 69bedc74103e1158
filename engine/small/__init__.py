"""Small games with known values: they test the search and show how a game is written.

Reading order: kuhn_poker (start here), leduc_poker; cards is what they share.
"""
