"""What a client of emptychair installs: the generated messages and stubs in `emptychair.v1`."""
