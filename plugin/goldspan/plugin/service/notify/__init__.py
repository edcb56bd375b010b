"""Notify: telling people when a round closes, γ falls or a sync fails."""
