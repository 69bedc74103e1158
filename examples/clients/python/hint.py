"""Asks a server what to play: python hint.py POSITION.json HOST:PORT. Needs grpcio, protobuf and emptychair.v1."""

import sys
from pathlib import Path

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc
from google.protobuf.json_format import Parse, ParseError

position, address = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
opponent = opponent_pb2_grpc.OpponentServiceStub(grpc.insecure_channel(address))
try:
    asked = '{"observation": {"other": ' + Path(position).read_text(encoding="utf-8") + "}}"
    advice = opponent.Recommend(Parse(asked, opponent_pb2.RecommendRequest())).recommendation
except grpc.RpcError as error:
    sys.exit(error.details())
except (OSError, ValueError, ParseError) as error:
    sys.exit(f"{position}: {error}")
print(*(step.words for step in advice.plan), advice.explanation, *advice.warnings, sep="\n")
