#!/usr/bin/env python3
"""Limits of single methods, METHOD=LIMIT."""

from support import RIGS, CliTest, main, strict_json

ARM = RIGS / "bent_arm.gltf"


class MethodLimits(CliTest):
    """Losses of volume of ARM: lbs 5.00 %, cor 0.99 %, dqs 0.52 %."""

    def checks(self, code, *arguments, methods="lbs,dqs,cor"):
        done = self.run_program("compare", ARM, "--methods", methods, "--json", *arguments)
        self.assertEqual(done.code, code, done)
        return strict_json(done.out)["verdict"]["checks"], done.err

    def test_a_limit_of_a_method_replaces_the_general_limit(self):
        (general,), _ = self.checks(1, "--fail-volume-loss", "1%")
        self.assertEqual((general["option"], general["method"], general["failures"]), ("--fail-volume-loss", "lbs", 1))
        (general, own), err = self.checks(0, "--fail-volume-loss", "1%", "--fail-volume-loss", "lbs=6%")
        self.assertEqual((general["option"], general["method"], general["passed"]), ("--fail-volume-loss", "cor", True))
        self.assertEqual([check["method"] for check in general["methods"]], ["cor", "dqs"])
        self.assertEqual((own["option"], own["method"], own["limit"], own["passed"]),
                         ("--fail-volume-loss lbs", "lbs", 0.06, True))
        self.assertNotIn("methods", own)
        self.assertIn("--fail-volume-loss lbs 6 % kept", err)

    def test_several_methods_and_options(self):
        checks, err = self.checks(1, "--fail-volume-loss", "dqs=0.6%", "--fail-volume-loss", "cor=0.6%",
                                  "--warn-volume-loss", "dqs=0.1%", "--fail-max-relative", "dqs=0.01")
        self.assertEqual([(c["option"], c["method"], c["passed"], c["severity"]) for c in checks],
                         [("--fail-max-relative dqs", "dqs", False, "fail"),
                          ("--fail-volume-loss dqs", "dqs", True, "fail"), ("--fail-volume-loss cor", "cor", False, "fail"),
                          ("--warn-volume-loss dqs", "dqs", False, "warn")])
        self.assertIn("error: --fail-volume-loss cor 0.6 % exceeded", err)
        self.assertIn("warning: --warn-volume-loss dqs 0.1 % exceeded", err)

    def test_parameters_profiles_and_bake(self):
        for name in ("dqs:sign=first", "dqs:sign=first@unity-1"):
            (check,), _ = self.checks(1, "--profile", "unity-1", "--fail-max", f"{name}=0", methods="lbs,dqs:sign=first")
            self.assertEqual((check["method"], check["option"]), (name, f"--fail-max {name}"))
        done = self.run_program("bake", ARM, "--method", "dqs", "--fail-max", "dqs=1e-6")
        self.assertEqual(done.code, 1, done)
        self.succeed("bake", ARM, "--method", "dqs", "--fail-max", "1e-6", "--fail-max", "dqs=1")

    def test_vertices_over_the_limit_of_a_method(self):
        (general, own), _ = self.checks(1, "--fail-max", "1", "--fail-max", "dqs=1e-9", "--fail-percent", "10",
                                        methods="lbs,dqs,cor")
        self.assertEqual((general["option"], general["passed"], general["vertex_limit_m"]), ("--fail-percent", True, 1))
        self.assertEqual((own["option"], own["passed"], own["vertex_limit_m"]), ("--fail-percent dqs", False, 1e-9))
        # Limits of two options do not replace each other.
        (metres, relative), _ = self.checks(1, "--fail-max", "1e-9", "--fail-max-relative", "dqs=100%",
                                            "--fail-percent", "10")
        self.assertEqual((metres["passed"], relative["passed"]), (False, True))
        self.assertIn("dqs", [check["method"] for check in metres["methods"]])

    def test_pages_name_every_limit_once(self):
        self.run_program("compare", ARM, "--methods", "dqs,cor", "--fail-max", "dqs=1", "--fail-max", "cor=1",
                         "--junit", "r.xml", "--report", "r.json")
        self.succeed("report", "r.json", "-o", "again.xml")
        self.assertEqual(self.read("again.xml"), self.read("r.xml"))
        for method in ("dqs", "cor"):
            self.assertEqual(self.read("r.xml").decode().count(f'{method}: --fail-max {method} 1 m"'), 1)

    def test_wrong_limits(self):
        for arguments, said in ((("--fail-max", "cor=1"), "'cor' is not a method of the run; there are: lbs, dqs"),
                                (("--fail-max", "qds=1"), "qds"), (("--fail-max", "=1"), "--fail-max"),
                                (("--fail-max", "dqs="), "not a number"), (("--fail-max", "dqs=5%"), "not a percentage"),
                                (("--fail-max", "dqs=1", "--fail-max", "dqs=2"), "two limits of 'dqs'"),
                                (("--fail-max", "1", "--fail-max", "2"), "METHOD=LIMIT"),
                                (("--fail-max", "dqs@unity-1=1"), "dqs@unity-1")):
            self.fail_with(2, "compare", ARM, "--methods", "lbs,dqs", *arguments, naming=said)
        self.succeed("bake", ARM, "-o", "a.pc2")
        self.fail_with(2, "diff", "a.pc2", "a.pc2", "--fail-max", "lbs=1", naming="lbs=1")


if __name__ == "__main__":
    main()
