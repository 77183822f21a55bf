#!/usr/bin/env python3
"""Limits of numbers of the report: --fail and --warn KEY=LIMIT."""

from support import RIGS, CliTest, main, strict_json

ARM = RIGS / "bent_arm.gltf"
LOSS, MAX = "volume.max_loss", "error.max"


class Limits(CliTest):
    """Losses of volume of ARM: lbs 5.00 %, cor 0.99 %, dqs 0.52 %."""

    def checks(self, code, *arguments, methods=("lbs", "dqs", "cor")):
        named = [word for method in methods for word in ("--method", method)]
        done = self.run_program("compare", ARM, *named, "--json", *arguments)
        self.assertEqual(done.code, code, done)
        return strict_json(done.out)["verdict"]["checks"], done.err

    def test_a_limit_of_a_method_replaces_the_general_limit(self):
        (general,), _ = self.checks(1, "--fail", f"{LOSS}=1%")
        self.assertEqual((general["key"], general["method"], general["failures"]), (LOSS, "lbs", 1))
        (general, own), err = self.checks(0, "--fail", f"{LOSS}=1%", "--fail", f"{LOSS}=6%@lbs")
        self.assertEqual((general["method"], general["passed"]), ("cor", True))
        self.assertEqual([check["method"] for check in general["methods"]], ["cor", "dqs"])
        self.assertEqual((own["method"], own["limit"], own["passed"]), ("lbs", 0.06, True))
        self.assertNotIn("methods", own)
        self.assertIn(f"{LOSS} at most 6 % kept", err)

    def test_several_limits_are_checked_those_of_fail_first(self):
        checks, err = self.checks(1, "--fail", f"{LOSS}=0.6%@dqs", "--fail", f"{LOSS}=0.6%@cor",
                                  "--warn", f"{LOSS}=0.1%@dqs", "--fail", f"{MAX}=1%@dqs")
        self.assertEqual([(c["key"], c["method"], c["passed"], c["severity"]) for c in checks],
                         [(LOSS, "dqs", True, "fail"), (LOSS, "cor", False, "fail"), (MAX, "dqs", False, "fail"),
                          (LOSS, "dqs", False, "warn")])
        self.assertIn(f"error: {LOSS} at most 0.6 % exceeded", err)
        self.assertIn(f"warning: {LOSS} at most 0.1 % exceeded", err)

    def test_units_say_the_same(self):
        def limit(key, text):
            (check,), _ = self.checks(0, "--fail", f"{key}={text}", methods=("lbs",))
            return check["limit"], check["unit"]

        for text in ("2", "2m", "200cm", "2000mm", "2e6um"):
            value, unit = limit(MAX, text)
            self.assertAlmostEqual(value, 2, 12)
            self.assertEqual(unit, "m")
        self.assertEqual(limit(MAX, "50%"), (0.5, "1"))
        self.assertEqual(limit(LOSS, "50%"), limit(LOSS, "0.5"))
        self.assertAlmostEqual(limit("dihedral.max", "180deg")[0], limit("dihedral.max", "3.141592653589793rad")[0])

    def test_every_key_of_the_list_is_a_limit_and_turns_its_metric_on(self):
        listed = strict_json(self.succeed("list", "metrics", "--json").out)["metrics"]
        units = {key["key"]: key["unit"] for metric in listed for key in metric["keys"]}
        keys = list(units)
        self.assertGreaterEqual(len(keys), 11)
        self.assertEqual({key.split(".")[0] for key in keys}, {metric["id"] for metric in listed})
        limits = [word for key in keys for word in ("--fail", f"{key}={'100%' if units[key] == '1' else '1e9'}")]
        done = self.run_program("compare", ARM, "--frames", "0:2", "--json", *limits)
        report = strict_json(done.out)
        self.assertEqual([check["key"] for check in report["verdict"]["checks"]], keys)
        for check in report["verdict"]["checks"]:
            self.assertIsNotNone(check["value"], check)
        for run in report["meshes"][0]["runs"]:
            self.assertLessEqual({metric["id"] for metric in listed}, set(run))

    def test_a_factor_is_far_from_1_in_both_directions(self):
        (check,), _ = self.checks(1, "--fail", "edge_stretch.worst=1.01", methods=("lbs",))
        self.assertIn("edge", check["at"])
        self.assertGreater(max(check["value"], 1 / check["value"]), 1.01)

    def test_parameters_profiles_and_bake(self):
        for name in ("dqs:sign=first", "dqs:sign=first@unity-1"):
            (check,), _ = self.checks(1, "--profile", "unity-1", "--fail", f"{MAX}=0@{name}", methods=("lbs", "dqs:sign=first"))
            self.assertEqual(check["method"], name)
        self.assertEqual(self.run_program("bake", ARM, "--method", "dqs", "--fail", f"{MAX}=1e-6@dqs").code, 1)
        self.succeed("bake", ARM, "--method", "dqs", "--fail", f"{MAX}=1e-6", "--fail", f"{MAX}=1@dqs")

    def test_a_share_of_the_vertices_may_exceed_the_limit(self):
        (general, own), _ = self.checks(1, "--fail", f"{MAX}=1,share=10%", "--fail", f"{MAX}=1e-9,share=10%@dqs")
        self.assertEqual((general["passed"], general["share"]), (True, {"limit": 0.1, "value": 0}))
        self.assertEqual((own["passed"], own["limit"], own["share"]["limit"]), (False, 1e-9, 0.1))
        self.assertGreater(own["share"]["value"], 0.1)

    def test_pages_name_every_limit_once(self):
        self.run_program("compare", ARM, "--method", "dqs", "--method", "cor", "--fail", f"{MAX}=1@dqs",
                         "--fail", f"{MAX}=1@cor", "--report", "r.xml", "--report", "r.json")
        self.succeed("report", "r.json", "-o", "again.xml")
        self.assertEqual(self.read("again.xml"), self.read("r.xml"))

    def test_caches_of_a_run_that_fails_are_kept_only_if_asked(self):
        limit = ("bake", ARM, "--method", "dqs", "-o", "a.pc2", "--report", "a.json", "--fail", f"{MAX}=0")
        self.assertEqual(self.run_program(*limit).code, 1)
        self.assertEqual(list(self.files()), ["a.json"])
        self.assertEqual(self.run_program(*limit, "--keep").code, 1)
        self.assertEqual(list(self.files()), ["a.json", "a.pc2", "a.pc2.json"])

    def test_wrong_limits(self):
        for text, said in (("error.maks=1", "did you mean 'error.max'"), ("beauty=1", "list metrics"), ("error.max", "KEY=LIMIT"),
                           ("error.max=1@cor", "'cor' is not a method of the run; there are: lbs, dqs"),
                           ("error.max=1@qds", "qds"), ("error.max=1@", "error.max=1@"), ("error.max=@dqs", "a number"),
                           ("error.max=1kg", "um, mm, cm, m"), ("error.max=-1", "below 0"), ("error.max=nan", "a number"),
                           ("volume.max_loss=5", "write 5%"), ("volume.max_loss=1mm", "takes: %"),
                           ("error.rms=1,share=5%", "error.max"), ("error.max=1,share=101%", "0 to 100%")):
            self.fail_with(2, "compare", ARM, "--fail", text, naming=said)
        self.succeed("bake", ARM, "-o", "a.pc2")
        self.fail_with(2, "diff", "a.pc2", "a.pc2", "--fail", "error.max=1@lbs", naming="'lbs' names a method")
        self.fail_with(2, "diff", "a.pc2", "a.pc2", "--fail", "volume.max_loss=5%", naming=("there is no number 'volume.max_loss'", "error.max", "hausdorff.max"))


if __name__ == "__main__":
    main()
