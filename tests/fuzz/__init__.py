"""Fuzzing: files of every format, damaged in ways that keep them nearly right.

    seeds      valid files of every format, written by goldspan's own writers and by hand
    atoms      values that tend to go wrong
    trees      nested values: what JSON and DocBin files hold
    json_text, xml_text, lines, archives, docbins, raw_bytes
               a module for each kind of mutation
    inputs     input k of seed s: files and a command line, always the same
    trial      one input run in this process, and what must hold afterwards
    workers    processes that run inputs, and the watchdog that ends those that hang
    findings   what went wrong, stored as small files that a test runs again

`make fuzz SECONDS=3600 SEED=1` runs it; `python -m fuzz --input 1234` shows one input.
"""
