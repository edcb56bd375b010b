"""The JSON of a result: its types, from which the schema is generated, and how they are filled."""
