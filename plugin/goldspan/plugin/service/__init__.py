"""The service: it hears of changes in Label Studio, keeps gold and agreement current, and shows."""
