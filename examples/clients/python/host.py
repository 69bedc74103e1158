"""Keeps a game for its players, who are bots here: python host.py GAME HOST:PORT. Needs emptychair.client."""

import sys

from emptychair.client import Client, Refused

game, address = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
try:
    with Client(address) as client:
        table = client.new_game(game)
        sealed, status = table.sealed, table.status
        while status.HasField("to_move"):
            seat = status.to_move
            known = client.observe(sealed, seat, table.seat_tokens[seat]).observation  # what this player may see
            plan = client.play(known, iterations=50).plan  # or ask a person, who is shown `known`
            done = client.apply_moves(sealed, [plan[0].move])
            sealed, status = done.sealed, done.status
            for move in done.played:
                print(f"seat {move.seat}: {move.words}")
        print("results:", *status.returns)
except Refused as error:
    sys.exit(str(error))
