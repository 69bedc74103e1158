"""The compose file: nothing in it that we did not mean, and of one piece with the image and the server."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator, ValidationError

from server.config import Settings
from tests.deploy.commands import faults, lines, parsed, settings_of
from tests.deploy.dockerfile import ROOT, told
from tests.deploy.environment import is_read
from tests.deploy.manifests import plain
from tests.deploy.test_image import KINDS

SCHEMA = Draft202012Validator(json.loads((Path(__file__).parent / "compose.json").read_text()))
OURS = plain(yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text()))
KEYS = "/run/secrets/"
DELETED = object()


def lines_of(service: Mapping[str, Any]) -> list[list[str]]:
    return list(lines(service.get("entrypoint", []), service["command"]))


def server_of(service: Mapping[str, Any]) -> Settings | None:
    return next(filter(None, map(settings_of, lines_of(service))), None)


def wrong(compose: Mapping[str, Any]) -> Iterator[str]:
    """What does not agree, a line a fault."""
    for name, service in compose["services"].items():
        found = lines_of(service)
        told_wrong = [fault for line in found for fault in faults(line)]
        yield from told_wrong
        yield from (f"{name}: nobody reads {v}" for v in service.get("environment", {}) if not is_read(v))
        yield from (f"{name}: no secret {s}" for s in service["secrets"] if s not in compose["secrets"])
        if not told_wrong and (settings := server_of(service)):
            yield from _server_faults(name, service, settings)
        elif not told_wrong:
            yield from _node_faults(name, service, found[0])
    if not compose["networks"]["cluster"].get("internal"):
        yield "Ray can be reached from outside"


def _server_faults(name: str, service: Mapping[str, Any], settings: Settings) -> Iterator[str]:
    port = told("EXPOSE").text
    if settings.listen != (f"0.0.0.0:{port}",) or not service["ports"][0].endswith(f":{port}"):
        yield f"{name}: listens on {settings.listen}, published {service['ports']}"
    if settings.seal_key_file.removeprefix(KEYS) not in service["secrets"]:
        yield f"{name}: {settings.seal_key_file} is no secret of its own"
    if seconds(service["stop_grace_period"]) < (settings.drain_notice_ms + settings.drain_grace_ms) / 1000 + 2:
        yield f"{name}: is killed before it has ended"
    if not settings.ray and str(settings.workers) != service["deploy"]["resources"]["limits"]["cpus"]:
        yield f"{name}: {settings.workers} searches"
    if "healthcheck" in service:
        yield f"{name}: another check than the image's"


def _node_faults(name: str, service: Mapping[str, Any], line: list[str]) -> Iterator[str]:
    _, options = parsed(line)
    cpus = 0 if options["head"] else int(service["deploy"]["resources"]["limits"]["cpus"])
    if options["num_cpus"] != cpus or not options["block"]:
        yield f"{name}: {options['num_cpus']} searches on {cpus} cores"
    if "ports" in service or service["networks"] != ["cluster"]:
        yield f"{name}: can be reached from outside"
    yield from faults(service["healthcheck"]["test"][1:])
    for variable, value in (("RAY_AUTH_MODE", "token"), ("RAY_AUTH_TOKEN_PATH", f"{KEYS}ray-token")):
        if service["environment"].get(variable) != value:
            yield f"{name}: {variable} is not {value}"


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


def changed(path: str, value: Any) -> Any:
    """Our file with one field set, or deleted."""
    compose: Any = plain(OURS)
    *way, last = path.split(".")
    place = compose
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    if value is DELETED:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return compose


def test_the_file_is_valid_and_agrees() -> None:
    SCHEMA.validate(OURS)
    assert list(wrong(OURS)) == []


def test_every_service_runs_an_image_that_is_built_here() -> None:
    built = {s["image"]: s["build"]["args"]["KIND"] for s in OURS["services"].values() if "build" in s}
    assert set(built.values()) == set(KINDS)
    assert {service["image"] for service in OURS["services"].values()} == set(built)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("services.front.read_only", DELETED),
        ("services.front.read_onlly", True),
        ("services.front.cap_drop", ["NET_RAW"]),
        ("services.front.user", "root"),
        ("services.front.ports", ["50051:50051"]),
        ("services.head.deploy.resources.limits.memory", DELETED),
        ("services.worker.depends_on.head.condition", "started"),
        ("secrets.seal-keys.external", True),
    ],
)
def test_an_invalid_file_is_refused(path: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        SCHEMA.validate(changed(path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("services.front.command.1", "--unsafe"),
        ("services.front.command.2", "--listen=0.0.0.0:50052"),
        ("services.front.command.3", "--workers=3"),
        ("services.front.command.4", "--seal-key-file=/run/secrets/keys"),
        ("services.front.stop_grace_period", "10s"),
        ("services.front.environment", {"EMPTYCHAIR_CASH": "/tmp"}),
        ("services.front-ray.healthcheck", {"test": ["CMD", "true"]}),
        ("services.head.command.3", "--num-cpus=1"),
        ("services.head.command.2", "--num-cpus=0"),  # in the place of --block
        ("services.head.ports", ["127.0.0.1:8265:50051"]),
        ("services.head.environment.RAY_AUTH_MODE", DELETED),
        ("services.head.healthcheck.test.2", "health"),
        ("services.worker.networks", ["cluster", "clients"]),
        ("services.worker.secrets", ["token"]),
        ("networks.cluster.internal", False),
    ],
)
def test_a_file_that_does_not_agree_is_refused(path: str, value: Any) -> None:
    assert list(wrong(changed(path, value))) != []
