"""What a package may hold: a module that does not even import."""

raise RuntimeError("no game today")
