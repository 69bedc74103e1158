"""Every module, in print order. Adding an expansion is one file here and one line below."""

from engine.arctic_scavengers.cards import Module
from engine.arctic_scavengers.modules import base

MODULES: dict[str, Module] = {m.id: m for m in (base.MODULE,)}
