"""The tests that the built wheel runs too, each file with what it proves there.

The files of a wheel are those of the tree, byte by byte; tests/test_install.py checks it. So the
tests on the tree hold for the wheel, and the wheel runs what an installation can break. Of the
tests with a real Label Studio or browser it runs those that are marked `wheel`.

`python tests/wheel_tests.py` prints the files.
"""

from __future__ import annotations

import sys

WHEEL_TESTS = {
    "tests/test_install.py": "every file, entry point and the command are installed",
    "tests/test_wheel_tests.py": "this list has every verb and every format",
    "tests/test_public_names.py": "every public name imports",
    "tests/test_read_only_install.py": "kernels compile where nothing can be stored",
    "tests/test_docs.py": "the commands and scripts of the documentation run",
    "tests/test_examples.py": "the examples run",
    "tests/engine/test_native.py": "native kernels are built of the installed sources",
    "tests/engine/test_published.py": "published disorders come out",
    "tests/adapters/test_any_to_any.py": "every format is read and written",
    "tests/adapters/test_registry.py": "formats are found by their entry points",
    "tests/adapters/test_adapter_plugin.py": "a third package adds a format",
    "tests/adapters/test_catma.py": "a format that is only read",
    "tests/adapters/test_huggingface.py": "a format that is only read",
    "tests/adapters/test_potato.py": "a format that is only read",
    "tests/plugin/test_cli.py": "every verb starts and shows its help",
    "tests/plugin/test_citation.py": "the bundled references are there",
    "tests/plugin/test_coefficient_plugin.py": "a third package adds a coefficient",
    "tests/plugin/test_compare.py": "`compare` runs",
    "tests/plugin/test_conformance.py": "the bundled set and its schema are there",
    "tests/plugin/test_demo.py": "the bundled data are there; reports are made of templates",
    "tests/plugin/test_schema.py": "results follow the bundled schema",
    "tests/plugin/test_simulation_verbs.py": "`shuffle`, `curves` and `plan` run",
    "tests/plugin/test_spacy_command.py": "spaCy finds its entry points",
    "tests/plugin/test_verb_example.py": "a verb is added",
    "tests/plugin/adjudicate/test_formats.py": "`adjudicate` writes every format",
    "tests/plugin/adjudicate/test_page.py": "the page's scripts and styles are there",
    "tests/plugin/label_studio/test_service_command.py": "the service starts and ends",
    "tests/plugin/open/test_open_server.py": "`open` serves its page",
    "tests/plugin/service/test_service_dashboard.py": "the dashboard is made of its templates",
    "tests/e2e/test_label_studio_server.py": "a real Label Studio is reached",
    "tests/e2e/test_label_studio_sync.py": "a real Label Studio is written to",
}

if __name__ == "__main__":
    sys.stdout.write(" ".join(WHEEL_TESTS) + "\n")
