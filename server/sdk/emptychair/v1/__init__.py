"""Generated from proto/emptychair/v1 by `make proto`; not edited by hand."""
