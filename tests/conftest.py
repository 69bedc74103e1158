"""What every test shares."""

from hypothesis import settings

settings.register_profile("project", deadline=None, print_blob=True)  # a first call may compile
settings.load_profile("project")
