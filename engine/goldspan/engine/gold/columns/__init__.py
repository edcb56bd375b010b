"""The gold of many tasks in one set of columns, where only some of them are looked at."""
