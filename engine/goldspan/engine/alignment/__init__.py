"""The best alignment of the units of several annotators, exactly."""
