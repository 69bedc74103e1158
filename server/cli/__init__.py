"""The command line. Commands import what is heavy when they run, so that `--help` answers at once.

Reading order, lowest first:
    terminal  what commands share: files, faults, tables
    wording, telling       views in words
    skirmishes, happening  what changed in them, in words
    watching  what a seat sees happen
    advice    hint
    files     check, replay
    lists     games, bots
    running   serve, warmup, bench
    arena     arena run, show, compare
    saves     the file of a game
    chairs    who plays it
    table     a game going on
    screen    what people see and type
    play      play
"""

from server.cli.advice import hint
from server.cli.arena import arena
from server.cli.files import check, replay
from server.cli.lists import bots, games
from server.cli.play import play
from server.cli.running import bench, serve, warmup
from server.cli.terminal import VERSION, Commands

COMMANDS = (arena, bench, bots, check, games, hint, play, replay, serve, warmup)

HELP = "Opponents for board games with hidden information."

main = Commands("emptychair", commands=COMMANDS, params=[VERSION], help=HELP)
