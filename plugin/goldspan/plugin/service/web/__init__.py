"""What the service answers over HTTP: webhooks, the dashboard, and who may see it."""
