"""`make conformance`: the public conformance suite against the engine behind its HTTP door."""
