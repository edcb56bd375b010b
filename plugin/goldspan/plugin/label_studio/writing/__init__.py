"""Writing a plan into a project of Label Studio."""
