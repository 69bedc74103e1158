"""Asks a server what to play: python hint.py [OBSERVATION.json] ADDRESS. Needs grpcio and emptychair.v1."""

import json
import sys
from pathlib import Path

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc

DEFAULT = Path(__file__).parents[2] / "positions/arctic_scavengers/minimal.json"
observation = json.loads(Path([DEFAULT, *sys.argv[1:-1]][-1]).read_text())
with grpc.insecure_channel(sys.argv[-1]) as channel:
    request = opponent_pb2.RecommendRequest(observation={observation["game"]: observation})
    advice = opponent_pb2_grpc.OpponentServiceStub(channel).Recommend(request).recommendation
print(*(step.words for step in advice.plan), advice.explanation, sep="\n")
