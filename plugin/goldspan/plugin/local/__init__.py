"""Local: what pages on the loopback address share: address, gate, files, serving."""
