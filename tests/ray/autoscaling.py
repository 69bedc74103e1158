"""A cluster on this machine that Ray's autoscaler brings nodes to and takes them from."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from ray.autoscaler._private.fake_multi_node.node_provider import FAKE_HEAD_NODE_ID

from server.bench.nodes import Cluster, prepared

CONFIG = Path(__file__).parents[2] / "deploy" / "autoscaling" / "fake.yaml"
FAKE = {
    "AUTOSCALER_UPDATE_INTERVAL_S": "1",
    "RAY_CLOUD_INSTANCE_ID": FAKE_HEAD_NODE_ID,
    "RAY_FAKE_CLUSTER": "1",
    "RAY_enable_autoscaler_v2": "1",
}


@contextmanager
def autoscaling() -> Iterator[Cluster]:
    """A cluster of a head alone, whose nodes come and go as deploy/autoscaling/fake.yaml says."""
    with prepared() as cluster:
        config = yaml.safe_load(CONFIG.read_text())
        config["provider"]["gcs_address"] = cluster.address
        written = cluster.folder / "autoscaling.yaml"
        written.write_text(yaml.safe_dump(config))
        cluster.start_head(f"--autoscaling-config={written}", env=FAKE)
        yield cluster
