"""What the tests of skinbake diff share."""

import os

from report_schema import schema_errors
from support import CliTest, strict_json


class DiffCase(CliTest):
    A, B = "a", "b"  # the files that are compared unless a test names others

    def diff(self, *options, code=0, a=None, b=None):
        done = self.run_program("diff", a or self.A, b or self.B, *options)
        self.assertEqual(done.code, code, done)
        return done

    def report(self, *options, code=0, **sides):
        """The report, which the schema allows."""
        report = strict_json(self.diff("--json", "-q", *options, code=code, **sides).out)
        errors = schema_errors()
        if errors is not None:
            self.assertEqual(errors(report), [])
        else:
            self.assertNotEqual(os.environ.get("CI"), "true", "python3-jsonschema is missing")
        return report
