"""What an agent says it did, could not do or was told, held against the calls of the run."""
