"""Label Studio's model protocol (Settings > Model): every answer comes from the call itself."""
