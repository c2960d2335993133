"""The page on which a person says yes or no to what an assistant asked for."""
