"""What a client of emptychair installs: `emptychair.client`, and the messages and stubs it needs, `emptychair.v1`."""
