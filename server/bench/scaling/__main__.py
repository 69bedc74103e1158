"""`make scaling` and `make scaling-measure`."""

from dataclasses import fields
from typing import Any

import click

from server.bench.scaling.inputs import FILE, read, write
from server.bench.scaling.measure import Lengths, measure
from server.bench.scaling.sizes import Mix
from server.bench.scaling.tables import DOCUMENT, TABLES, filled


@click.group(epilog="To be run in the folder that holds docs/.")
def main() -> None:
    """How far the service goes."""


@main.command("measure")
@click.option("--ray/--no-ray", default=True, help="Measure a pool of Ray's, too.")
@click.option("--point-seconds", default=Lengths.point_s, show_default=True, help="How long each load lasts.")
@click.option("--tries", default=Lengths.tries, show_default=True, help="Of a load, until others are quiet.")
@click.option("--patience", default=Lengths.patience_s, show_default=True, help="Seconds lost to others, over all.")
def measured(ray: bool, point_seconds: float, tries: int, patience: float) -> None:
    """Measure this machine, in ten minutes; it should have nothing else to do. Writes docs/scaling.json."""
    lengths = Lengths(point_s=point_seconds, tries=tries, patience_s=patience)
    write(measure(lambda text: click.echo(text, err=True), lengths, ray))


@main.command()
def document() -> None:
    """Make the tables of docs/scaling.md anew."""
    DOCUMENT.write_text(filled(DOCUMENT.read_text(), read(FILE), Mix()))


@main.command()
def tables(**chosen: Any) -> None:
    """Print the tables for another mix of games and machines."""
    for name, table in TABLES.items():
        click.echo("\n".join([f"\n{name}\n", *table(read(FILE), Mix(**chosen))]))


for mixed in fields(Mix):
    option = click.option("--" + mixed.name.replace("_", "-"), default=mixed.default, show_default=True)
    option(tables)

if __name__ == "__main__":
    main()
