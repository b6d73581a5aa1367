"""What is said not to be there: searches that found nothing, fields that are silent."""
