"""Memory: cited entries, kept in a JSON-lines or SQLite file with their history."""
