"""An authorization server for development: invented people, no passwords, real tokens.

Authlib decides synchronously; what it needs is read before, and what it decided written after.
"""
