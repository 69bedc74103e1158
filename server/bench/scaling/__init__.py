"""How far the service goes: measured here, simulated for more (docs/scaling.md).

It is here, beside the other measurements, because it starts the same servers and is typed and checked like them.

Reading order, lowest first:
    inputs     what was measured: docs/scaling.json
    theory     Erlang's formulas
    plans      what can be simulated, and what comes of it
    load       clients of a real server
    simulation the same service in simulated time
    validation what was measured beside its simulation
    measure    measuring this machine
    sizes      fronts and workers for so many games
    tables     the tables of the document
"""
