"""What is said of the rows of a list: all of them, so many, the most, none."""
