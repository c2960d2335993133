"""The demo: two invented organisations, the same in every seeding. `plant` is the way in."""
