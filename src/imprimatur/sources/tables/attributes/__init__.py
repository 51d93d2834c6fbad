"""What prose says of one row's attributes: yes or no, opening hours, ratings, and what the row knows nothing of."""
