"""Media: recordings that tasks are about, found, served and drawn as waveforms."""
