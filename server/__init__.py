"""The service and the command line: everything that talks to the world outside.

The path of one request: front -> opponent -> codec -> order -> workers -> codec -> front.

Reading order, lowest first:
    config    the settings
    errors    what a caller is told when there is no answer
    seal      games that their host keeps between calls
    codec     proto <-> the dict form of each game; answers -> proto
    warm      games compiled and loaded before anybody waits
    workers/  where searches run
    order     what is asked of a bot, from its JSON form
    replies   remembered for retries
    service   what the services share
    games     what is played and what is legal: GameService
    opponent  advice: OpponentService
    front     the gRPC server: listeners, health, errors, stop
    bench     the figures
    cli/      the command line
"""
