"""The conformance set: small examples with exact values, by which implementations are checked."""
