"""The command line. Commands import what is heavy when they run, so that `--help` answers at once.

Reading order, lowest first:
    terminal  what commands share: files, faults, tables
    advice    hint
    files     check, replay
    lists     games, bots
    running   serve, warmup, bench
"""

from server.cli.advice import hint
from server.cli.files import check, replay
from server.cli.lists import bots, games
from server.cli.running import bench, serve, warmup
from server.cli.terminal import Commands

COMMANDS = (bench, bots, check, games, hint, replay, serve, warmup)

main = Commands("emptychair", commands=COMMANDS, help="Opponents for board games with hidden information.")
