"""The schema of reports, for the tests of commands that write a report."""

import contextlib
import importlib.util
import io
import json

from support import SOURCE


def schema_errors(path="lib/report/report.schema.json"):
    """A function that lists the violations of a schema; None without a validator."""
    spec = importlib.util.spec_from_file_location("validate_schema", SOURCE / "tests/report/validate_schema.py")
    module = importlib.util.module_from_spec(spec)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            spec.loader.exec_module(module)
    except SystemExit:  # python3-jsonschema is missing
        return None
    schema = json.loads((SOURCE / path).read_text())
    module.Draft202012Validator.check_schema(schema)
    validator = module.Draft202012Validator(schema)
    return lambda report: module.errors(validator, report)
