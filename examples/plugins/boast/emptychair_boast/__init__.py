"""Boast, a tiny card game, and a bot that plays it.

Reading order, lowest first:
    game      the rules
    bot       the player who does not believe
"""
