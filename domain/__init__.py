"""Rules: who may do what, and what is owed. No framework, no I/O."""
