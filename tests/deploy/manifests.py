"""What the manifests of Kubernetes must have in common with each other, with the image and with the server.

Each check is given all documents and tells what is wrong, a line a fault.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from server.config import Settings
from tests.deploy.commands import faults, lines, parsed, settings_of
from tests.deploy.dockerfile import ROOT, told
from tests.deploy.environment import is_read
from tests.test_repository import pins

Document = dict[str, Any]
Check = Callable[[Sequence[Document]], Iterator[str]]

FOLDERS = sorted(path.parent for path in (ROOT / "deploy" / "kubernetes").glob("*/kustomization.yaml"))
OPERATOR = "kuberay-operator"
CLUSTERS = {"RayCluster": ("spec",), "RayJob": ("spec", "rayClusterSpec")}


class Pod(NamedTuple):
    """A pod that a document asks for."""

    where: str
    labels: Mapping[str, str]
    spec: Document
    ray: Mapping[str, str] | None  # what `ray start` is given
    least: int
    most: int

    @property
    def container(self) -> Document:
        """Its one container."""
        (container,) = self.spec["containers"]
        return dict(container)

    @property
    def lines(self) -> Iterator[list[str]]:
        """The command lines of ours, and of Ray's."""
        if self.ray is None or "command" in self.container:
            yield from lines(self.container.get("command", []), self.container.get("args", []))
        if self.ray is not None:
            yield ["ray", "start", *(f"--{name}={value}" for name, value in self.ray.items())]

    @property
    def settings(self) -> Settings | None:
        """Those of its server, if it runs one."""
        return next(filter(None, map(settings_of, self.lines)), None)


def documents(folder: Path) -> list[Document]:
    """What a kustomization names, each document apart from the others."""
    named = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    return [plain(document) for name in named for document in yaml.safe_load_all((folder / name).read_text())]


def plain(document: Any) -> Any:
    """The same without parts that are shared."""
    return json.loads(json.dumps(document))


def cluster_of(document: Document) -> Document | None:
    """The Ray cluster that a document asks for."""
    if document["kind"] not in CLUSTERS:
        return None
    for key in CLUSTERS[document["kind"]]:
        document = document[key]
    return document


def pods(document: Document) -> Iterator[Pod]:
    """The pods that a document asks for."""
    where = f"{document['kind']} {document['metadata']['name']}"
    if cluster := cluster_of(document):
        head = cluster["headGroupSpec"]
        yield _pod(f"{where} head", head["template"], head["rayStartParams"], 1, 1)
        for group in cluster["workerGroupSpecs"]:
            bounds = group["minReplicas"], group["maxReplicas"]
            yield _pod(f"{where} {group['groupName']}", group["template"], group["rayStartParams"], *bounds)
    elif document["kind"] == "Deployment":
        count = document["spec"]["replicas"]
        yield _pod(where, document["spec"]["template"], None, count, count)


def _pod(where: str, template: Document, ray: Mapping[str, str] | None, least: int, most: int) -> Pod:
    return Pod(where, template["metadata"]["labels"], template["spec"], ray, least, most)


def _all_pods(found: Sequence[Document]) -> list[Pod]:
    return [pod for document in found for pod in pods(document)]


def commands(found: Sequence[Document]) -> Iterator[str]:
    """Every command line is understood by its program."""
    for pod in _all_pods(found):
        for line in pod.lines:
            yield from (f"{pod.where}: {fault}" for fault in faults(line))
    for document in found:
        if entry := document["spec"].get("entrypoint"):
            yield from faults(entry.split())


def images(found: Sequence[Document]) -> Iterator[str]:
    """The images are those that the Dockerfile makes of this version; Ray is that of the image."""
    version = _version()
    for pod in _all_pods(found):
        expected = f"emptychair{'' if pod.ray is None else '-ray'}:{version}"
        if pod.container["image"] != expected:
            yield f"{pod.where}: image {pod.container['image']}, not {expected}"
    for document in found:
        cluster, ray = cluster_of(document), pins("deploy/ray.lock")["ray"]
        if cluster and cluster["rayVersion"] != ray:
            yield f"{document['kind']}: rayVersion {cluster['rayVersion']}, not {ray}"


def _version() -> str:
    import tomllib

    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def ports(found: Sequence[Document]) -> Iterator[str]:
    """A server listens where its container, its probes and its services say."""
    for pod in _all_pods(found):
        known = {port["name"]: port["containerPort"] for port in pod.container.get("ports", [])}
        for name in ("startupProbe", "readinessProbe", "livenessProbe"):
            yield from _probe_faults(f"{pod.where} {name}", pod.container.get(name), pod.settings)
        if pod.settings and pod.settings.listen != (f"0.0.0.0:{known['grpc']}",):
            yield f"{pod.where}: listens on {pod.settings.listen}, container port {known['grpc']}"
    for document in found:
        if document["kind"] == "Service":
            (port,) = document["spec"]["ports"]
            if (port["targetPort"], str(port["port"])) != ("grpc", told("EXPOSE").text):
                yield f"Service: port {port}"


def _probe_faults(where: str, probe: Document | None, settings: Settings | None) -> Iterator[str]:
    if not probe:
        if "startup" not in where:
            yield f"{where}: none"
    elif settings:
        if f"0.0.0.0:{probe.get('grpc', {}).get('port')}" not in settings.listen:
            yield f"{where}: {probe}"
    elif (probe["httpGet"]["path"], probe["httpGet"]["port"]) not in (
        ("/api/gcs_healthz", 8265),
        ("/api/local_raylet_healthz", 52365),
    ):
        yield f"{where}: {probe}"


def variables(found: Sequence[Document]) -> Iterator[str]:
    """Every variable is one that somebody reads."""
    for pod in _all_pods(found):
        for variable in pod.container.get("env", []):
            if not is_read(variable["name"]):
                yield f"{pod.where}: nobody reads {variable['name']}"


def files(found: Sequence[Document]) -> Iterator[str]:
    """What is written and read lies on volumes that are there; secrets are for their reader alone."""
    for pod in _all_pods(found):
        volumes = {volume["name"]: volume for volume in pod.spec.get("volumes", [])}
        mounts = {mount["mountPath"]: mount["name"] for mount in pod.container.get("volumeMounts", [])}
        yield from (f"{pod.where}: no volume {name}" for name in mounts.values() if name not in volumes)
        if "emptyDir" not in volumes.get(mounts.get("/tmp", ""), {}):
            yield f"{pod.where}: /tmp cannot be written"
        if pod.settings:
            secret = volumes.get(mounts.get(str(Path(pod.settings.seal_key_file).parent), ""), {}).get("secret", {})
            if secret.get("defaultMode") != 0o400:
                yield f"{pod.where}: {pod.settings.seal_key_file} is no secret of its own"
    for document in found:
        if document["kind"] == "RayJob":
            yield from _result_faults(document)


def _result_faults(job: Document) -> Iterator[str]:
    head = next(pods(job))
    out = parsed(job["spec"]["entrypoint"].split())[1]["out"]
    kept = [mount["mountPath"] for mount in head.container["volumeMounts"] if mount["name"] == "results"]
    if [str(out.parent)] != kept:
        yield f"RayJob: {out} is on none of {kept}"


def ends(found: Sequence[Document]) -> Iterator[str]:
    """A server has time to end in order."""
    for pod in _all_pods(found):
        if settings := pod.settings:
            needed = (settings.drain_notice_ms + settings.drain_grace_ms) / 1000 + 5
            if pod.spec.get("terminationGracePeriodSeconds", 30) < needed:
                yield f"{pod.where}: is killed before the {needed:g} s that it needs to end"


def cores(found: Sequence[Document]) -> Iterator[str]:
    """What is asked for is what is given, and no more searches run than there are cores for them."""
    for pod in _all_pods(found):
        resources, settings = pod.container["resources"], pod.settings
        if resources["requests"] != resources["limits"]:
            yield f"{pod.where}: requests {resources['requests']}, limits {resources['limits']}"
        offered = "0" if pod.ray is not None and (settings or "head" in pod.where) else resources["limits"]["cpu"]
        taken = str(settings.workers) if settings and pod.ray is None else (pod.ray or {}).get("num-cpus")
        if taken != offered:
            yield f"{pod.where}: {taken} searches on {offered} cores"
    for document in found:
        if document["kind"] == "RayCluster":
            yield from _worker_faults(list(pods(document)))


def _worker_faults(found: list[Pod]) -> Iterator[str]:
    """All fronts together must not keep, or want, more actors than the group of searches has cores."""
    fronts = [(pod, pod.settings) for pod in found if pod.settings]
    for bound in ("least", "most"):
        have = sum(int((pod.ray or {}).get("num-cpus", 0)) * getattr(pod, bound) for pod in found)
        name = {"least": "workers", "most": "max_workers"}[bound]
        want = sum(getattr(settings, name) * pod.most for pod, settings in fronts)
        if not 0 < want <= have:
            yield f"fronts: {name} {want} in all, with {have} cores at {bound}"


def locks(found: Sequence[Document]) -> Iterator[str]:
    """Containers may do nothing but compute and answer."""
    user, group = map(int, told("USER").text.split(":"))
    pod_wide = {"runAsNonRoot": True, "runAsUser": user, "runAsGroup": group, "fsGroup": group}
    pod_wide["seccompProfile"] = {"type": "RuntimeDefault"}
    container = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    for pod in _all_pods(found):
        if pod.spec.get("securityContext") != pod_wide or pod.container.get("securityContext") != container:
            yield f"{pod.where}: securityContext"
        scales = pod.where.startswith("RayCluster") and pod.where.endswith("head")  # its autoscaler asks Kubernetes
        if pod.spec.get("automountServiceAccountToken", True) and not scales:
            yield f"{pod.where}: has an account's token"
    for cluster in filter(None, map(cluster_of, found)):
        if "autoscalerOptions" in cluster and cluster["autoscalerOptions"]["securityContext"] != container:
            yield "autoscaler: securityContext"


def network(found: Sequence[Document]) -> Iterator[str]:
    """Only a front's port is open to all; Ray's are open to the pods of the same cluster, and to the operator."""
    policies = [document for document in found if document["kind"] == "NetworkPolicy"]
    for pod in _all_pods(found):
        rules = [r for policy in policies if _selects(policy["spec"]["podSelector"], pod) for r in _ingress(policy)]
        public = [rule["ports"] for rule in rules if "from" not in rule]
        expected = [[{"protocol": "TCP", "port": int(told("EXPOSE").text)}]] if pod.settings else []
        if not rules or public != expected:
            yield f"{pod.where}: open to all: {public}"
        yield from (f"{pod.where}: open to {rule['from']}" for rule in rules if not _is_inside(rule, pod))


def _ingress(policy: Document) -> list[Document]:
    return list(policy["spec"]["ingress"]) if "Ingress" in policy["spec"]["policyTypes"] else []


def _selects(selector: Document, pod: Pod) -> bool:
    return bool(selector["matchLabels"].items() <= pod.labels.items())


def _is_inside(rule: Document, pod: Pod) -> bool:
    """True for a rule that lets in the pods of one cluster, or the operator to where jobs are submitted."""
    name = "app.kubernetes.io/name"
    for peer in rule.get("from", []):
        allowed = peer["podSelector"]["matchLabels"]
        submits = allowed == {name: OPERATOR} and rule.get("ports") == [{"protocol": "TCP", "port": 8265}]
        if not (submits or (allowed == {name: pod.labels[name]} and "namespaceSelector" not in peer)):
            return False
    return True


def selectors(found: Sequence[Document]) -> Iterator[str]:
    """Services and budgets are of the fronts, and of nothing else; a Deployment's are its own pods."""
    everything = _all_pods(found)
    for document in found:
        selector = document["spec"].get("selector")
        if document["kind"] in ("Service", "PodDisruptionBudget"):
            wanted = selector.get("matchLabels", selector)
            selected = [pod for pod in everything if wanted.items() <= pod.labels.items()]
            if len(selected) != 1 or not selected[0].settings:
                yield f"{document['kind']} {document['metadata']['name']}: selects {[pod.where for pod in selected]}"
        elif document["kind"] == "Deployment" and not _selects(selector, next(pods(document))):
            yield f"Deployment {document['metadata']['name']}: selects other pods than its own"


CHECKS: tuple[Check, ...] = (commands, images, ports, variables, files, ends, cores, locks, network, selectors)
