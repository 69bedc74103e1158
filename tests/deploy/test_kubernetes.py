"""The manifests of Kubernetes: valid as its schemas and KubeRay's go, and of one piece with the image and the server.

Every check is broken once on purpose.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft202012Validator, ValidationError

from tests.deploy import manifests
from tests.deploy.manifests import CHECKS, FOLDERS, Check, Document, cluster_of, documents, plain, pods

RAY = Draft202012Validator(json.loads((Path(__file__).parent / "ray.v1.json").read_text()))
RELEASES = ("1.31", "1.37")  # of Kubernetes: an old one that is still met, and the newest that we have schemas of
OURS = [document for folder in FOLDERS for document in documents(folder)]
BY_NAME = {f"{document['kind']} {document['metadata']['name']}": document for document in OURS}
FRONT, CLUSTER, JOB = "Deployment emptychair", "RayCluster emptychair-ray", "RayJob emptychair-tournament"
DELETED = object()


class Swap(NamedTuple):
    """One part of a text for another."""

    old: str
    new: str


SERVE = "spec.template.spec.containers.0.args"
IN_FRONT = "spec.workerGroupSpecs.1.template.spec"


def validate(document: Document, release: str) -> None:
    """Raises `ValidationError` or one of Kubernetes for what the schemas refuse, fields they do not know included."""
    if document["apiVersion"] != "ray.io/v1":
        kubernetes_validate.validate(document, release, strict=True)
        return
    RAY.validate(document)
    for pod in pods(document):
        about = {"name": "x", "labels": pod.labels}
        whole = {"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": pod.spec}
        kubernetes_validate.validate(plain(whole), release, strict=True)
    options = (cluster_of(document) or {}).get("autoscalerOptions")
    if options:
        container = {key: options[key] for key in ("resources", "securityContext", "volumeMounts")}
        spec = {"containers": [{"name": "autoscaler", "image": "x", **container}]}
        whole = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec}
        kubernetes_validate.validate(plain(whole), release, strict=True)


def changed(name: str, path: str, value: Any) -> list[Document]:
    """Our documents with one field of one of them set, or deleted."""
    found: dict[str, Any] = plain(BY_NAME)
    *way, last = path.split(".")
    place: Any = found[name]
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    key: Any = int(last) if isinstance(place, list) else last
    if value is DELETED:
        del place[key]
    else:
        place[key] = place[key].replace(*value) if isinstance(value, Swap) else value
    return list(found.values())


def told(check: Check, found: Sequence[Document]) -> list[str]:
    return list(check(found))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", BY_NAME)
def test_a_document_is_valid(name: str, release: str) -> None:
    validate(BY_NAME[name], release)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_documents_agree(check: Check) -> None:
    assert told(check, OURS) == []


def test_every_file_belongs_to_a_kustomization() -> None:
    assert len(FOLDERS) == 3
    for folder in FOLDERS:
        kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
        assert {*kustomization["resources"], "kustomization.yaml"} == {path.name for path in folder.iterdir()}
        images = {pod.container["image"] for document in documents(folder) for pod in pods(document)}
        assert images == {f"{image['name']}:{image['newTag']}" for image in kustomization["images"]}


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        (FRONT, "spec.replica", 2),
        (FRONT, "spec.template.spec.containers.0.readinessProbe.grpc.port", "grpc"),
        (FRONT, "spec.template.spec.containers.0.securityContext.privilege", True),
        (CLUSTER, "spec.authOptions", DELETED),
        (CLUSTER, "spec.authOptions.mode", "disabled"),
        (CLUSTER, "spec.autoscalerOptions.version", "v3"),
        (CLUSTER, "spec.autoscalerOptions.resources.limit", {}),
        (CLUSTER, "spec.headGroupSpec.rayStartParams.num-cpus", 0),
        (CLUSTER, "spec.workerGroupSpecs.0.minReplica", 1),
        (CLUSTER, "spec.workerGroupSpecs.0.template.spec.containers.0.imag", "x"),
        (JOB, "spec.submissionMode", "SSHMode"),
        (JOB, "spec.entryPoint", "x"),
    ],
)
def test_an_invalid_document_is_refused(name: str, path: str, value: Any) -> None:
    (document,) = [each for each in changed(name, path, value) if f"{each['kind']} {each['metadata']['name']}" == name]
    with pytest.raises((ValidationError, kubernetes_validate.ValidationError)):
        validate(document, RELEASES[-1])


@pytest.mark.parametrize(
    ("check", "name", "path", "value"),
    [
        (manifests.commands, FRONT, f"{SERVE}.0", "server"),
        (manifests.commands, FRONT, f"{SERVE}.1", "--unsafe"),
        (manifests.commands, FRONT, f"{SERVE}.1", DELETED),  # --insecure
        (manifests.commands, FRONT, f"{SERVE}.5", "--drain-notice-ms=500000"),
        (manifests.commands, CLUSTER, f"{IN_FRONT}.containers.0.command.2", Swap("--ray", "--rai")),
        (manifests.commands, CLUSTER, f"{IN_FRONT}.containers.0.command.2", Swap("check 2", "chek 2")),
        (manifests.commands, CLUSTER, "spec.headGroupSpec.rayStartParams.num-cpu", "0"),
        (manifests.commands, JOB, "spec.entrypoint", Swap("--deals", "--games")),
        (manifests.commands, JOB, "spec.entrypoint", Swap("ismcts@2000", "ismtcs@2000")),
        (manifests.images, FRONT, "spec.template.spec.containers.0.image", "emptychair:latest"),
        (manifests.images, CLUSTER, f"{IN_FRONT}.containers.0.image", "emptychair:0.1.0"),
        (manifests.images, CLUSTER, "spec.rayVersion", "2.56.0"),
        (manifests.ports, FRONT, f"{SERVE}.2", "--listen=0.0.0.0:50052"),
        (manifests.ports, FRONT, "spec.template.spec.containers.0.livenessProbe.grpc.port", 50052),
        (manifests.ports, FRONT, "spec.template.spec.containers.0.readinessProbe", DELETED),
        (manifests.ports, FRONT, "spec.template.spec.containers.0.ports.0.containerPort", 50052),
        (
            manifests.ports,
            CLUSTER,
            "spec.workerGroupSpecs.0.template.spec.containers.0.livenessProbe.httpGet.port",
            8265,
        ),
        (manifests.ports, "Service emptychair", "spec.ports.0.port", 50052),
        (
            manifests.variables,
            FRONT,
            "spec.template.spec.containers.0.env",
            [{"name": "EMPTYCHAIR_CASH", "value": "/tmp"}],
        ),
        (manifests.files, FRONT, "spec.template.spec.volumes.0", DELETED),
        (manifests.files, FRONT, f"{SERVE}.4", "--seal-key-file=/run/secrets/seal-keys"),
        (manifests.files, CLUSTER, f"{IN_FRONT}.volumes.1.secret.defaultMode", 0o444),
        (manifests.files, JOB, "spec.entrypoint", Swap("/results", "/tmp")),
        (manifests.ends, FRONT, "spec.template.spec.terminationGracePeriodSeconds", 25),
        (manifests.ends, CLUSTER, f"{IN_FRONT}.terminationGracePeriodSeconds", 25),
        (manifests.cores, FRONT, "spec.template.spec.containers.0.resources.requests.cpu", "1"),
        (manifests.cores, FRONT, f"{SERVE}.3", "--workers=0"),
        (manifests.cores, CLUSTER, "spec.headGroupSpec.rayStartParams.num-cpus", DELETED),
        (manifests.cores, CLUSTER, "spec.workerGroupSpecs.0.rayStartParams.num-cpus", "8"),
        (manifests.cores, CLUSTER, "spec.workerGroupSpecs.0.minReplicas", 1),
        (manifests.cores, CLUSTER, "spec.workerGroupSpecs.0.maxReplicas", 9),
        (manifests.cores, CLUSTER, "spec.workerGroupSpecs.1.maxReplicas", 3),
        (manifests.locks, FRONT, "spec.template.spec.securityContext.runAsUser", 0),
        (manifests.locks, FRONT, "spec.template.spec.containers.0.securityContext.readOnlyRootFilesystem", DELETED),
        (manifests.locks, CLUSTER, "spec.autoscalerOptions.securityContext.capabilities", DELETED),
        (manifests.locks, JOB, "spec.rayClusterSpec.headGroupSpec.template.spec.automountServiceAccountToken", DELETED),
        (manifests.network, "NetworkPolicy emptychair", "spec.ingress.0.ports.0.port", 50052),
        (
            manifests.network,
            "NetworkPolicy emptychair-ray",
            "spec.ingress.0",
            {"ports": [{"protocol": "TCP", "port": 6379}]},
        ),
        (manifests.network, "NetworkPolicy emptychair-ray", "spec.ingress.0.from.0.namespaceSelector", {}),
        (manifests.network, "NetworkPolicy emptychair-ray", "spec.ingress.1.ports", DELETED),
        (manifests.network, "NetworkPolicy emptychair-ray-front", "spec.podSelector.matchLabels", {}),
        (manifests.network, "NetworkPolicy emptychair-tournament", "spec.policyTypes", ["Egress"]),
        (manifests.selectors, "Service emptychair-ray", "spec.selector", {"app.kubernetes.io/name": "emptychair-ray"}),
        (
            manifests.selectors,
            "PodDisruptionBudget emptychair",
            "spec.selector.matchLabels",
            {"app.kubernetes.io/name": "x"},
        ),
        (manifests.selectors, FRONT, "spec.selector.matchLabels", {"app.kubernetes.io/name": "x"}),
    ],
)
def test_a_broken_document_is_refused(check: Check, name: str, path: str, value: Any) -> None:
    assert told(check, changed(name, path, value)) != []
