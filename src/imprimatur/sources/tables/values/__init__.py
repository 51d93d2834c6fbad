"""Values in running text checked cell by cell against the rows that it speaks of."""
