"""Tables as evidence: relations of a database, queried by SQL."""
