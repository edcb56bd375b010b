"""Measurement: what every part of the plugin says while the engine works."""

COMPILING = (
    "there is no folder to store compiled code in, so every run compiles it again, which can take "
    "a minute; set NUMBA_CACHE_DIR to a writable folder"
)
