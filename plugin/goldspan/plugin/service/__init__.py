"""The service: it hears of changes on a platform, keeps gold and agreement current, and shows."""
