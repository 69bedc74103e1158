"""Asks a server what to play: python hint.py POSITION.json HOST:PORT. Needs grpcio and emptychair.v1."""

import json
import sys
from pathlib import Path

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc

position, address = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
observation = json.loads(Path(position).read_text())
request = opponent_pb2.RecommendRequest(observation={observation["game"]: observation})
with grpc.insecure_channel(address) as channel:
    try:
        advice = opponent_pb2_grpc.OpponentServiceStub(channel).Recommend(request).recommendation
    except grpc.RpcError as error:
        sys.exit(error.details())
print(*(step.words for step in advice.plan), advice.explanation, sep="\n")
