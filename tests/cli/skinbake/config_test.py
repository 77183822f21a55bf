#!/usr/bin/env python3
"""Options from a TOML file: --config."""

import random

from support import CliTest, RIGS, main, write_rig

ARM = RIGS / "bent_arm.gltf"
COMMANDS = ("inspect", "bake", "compare", "diff", "report", "convert", "fit", "retarget", "batch", "golden", "list")


class Config(CliTest):
    def write(self, text, name="c.toml"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def refuse(self, text, *causes, command=("bake", ARM, "-o", "a.pc2")):
        self.write(text)
        return self.fail_with(3, *command, "--config", "c.toml", naming=("c.toml", "CONFIG_INVALID", *causes))

    def test_every_kind_of_value(self):
        self.write('# options of the team\nmethod = "dqs:sign=temporal"  # with a parameter\nframes = "0:4"\nfps = 24\n'
                   "quiet = true\nstrict = false\noutput = [\n  'a.pc2',  # the cache\n  \"b#1,=.npy\",\n]\n"
                   'metrics = "error,volume,bulge"\n')
        self.succeed("bake", ARM, "--config", "c.toml", "--report", "r.json")
        self.succeed("bake", ARM, "-q", "--method", "dqs:sign=temporal", "--frames", "0:4", "--fps", "24", "-o", "a2.pc2",
                     "-o", "b2.npy", "--metrics", "error,volume,bulge", "--report", "r2.json")
        self.assertEqual(self.read("a.pc2"), self.read("a2.pc2"))
        self.assertEqual(self.read("b#1,=.npy"), self.read("b2.npy"))
        reports = [self.json("r.json"), self.json("r2.json")]
        for report in reports:
            del report["outputs"]
        self.assertEqual(*reports)

    def test_the_command_line_goes_before_the_file(self):
        self.write('method = "dqs"\nframes = "0:4"\noutput = "file.pc2"\n')
        self.succeed("bake", ARM, "-q", "--config", "c.toml", "-m", "lbs", "-o", "line.pc2")
        self.assertFalse((self.folder / "file.pc2").exists())
        self.succeed("bake", ARM, "-q", "-m", "lbs", "--frames", "0:4", "-o", "b.pc2")
        self.assertEqual(self.read("line.pc2"), self.read("b.pc2"))

    def test_sections_are_for_one_command(self):
        self.write('quiet = true\n[bake]\nframes = "0:2"\noutput = "a.pc2"\n[compare]\nmethods = "lbs,dqs"\nframes = "0:3"\n')
        self.succeed("bake", ARM, "--config", "c.toml")
        self.succeed("--config", "c.toml", "compare", ARM, "--report", "r.json")
        self.assertEqual(self.json("r.json")["settings"]["frames"], "0:3")

    def test_the_file_of_a_batch_is_that_of_its_merge(self):
        self.write('jobs = 1\n[batch]\nset = ["fps=24"]\nsummary = "s.json"\n')
        self.write(f'{{"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [{{"rig": "{ARM}", "output": "a.pc2"}}]}}',
                   "jobs.json")
        self.succeed("batch", "jobs.json", "--config", "c.toml")
        before = self.read("s.json")
        (self.folder / "s.json").unlink()
        self.succeed("batch", "merge", "jobs.json", "jobs.state.jsonl", "--config", "c.toml")
        self.assertEqual(self.read("s.json"), before)
        self.write("[batch]\nsumary = 's.json'\n")
        self.fail_with(3, "batch", "merge", "jobs.json", "jobs.state.jsonl", "--config", "c.toml",
                       naming=("CONFIG_INVALID", "did you mean 'summary'"))

    def test_an_option_that_the_command_needs_may_be_in_the_file(self):
        self.succeed("bake", ARM, "-q", "--frames", "0:2", "--report", "r.json", "-o", "a.pc2")
        self.write('output = ["p.md", "p.html"]\n')
        self.succeed("report", "r.json", "--config=c.toml")
        self.assertIn(b"<!doctype", self.read("p.html")[:30].lower())

    def test_modifiers_keep_their_order(self):
        self.write('influences = 2\nweights = "u8"\n')
        self.succeed("bake", ARM, "-q", "--config", "c.toml", "--frames", "0:2", "--report", "r.json")
        self.assertEqual(self.json("r.json")["settings"]["modifiers"], ["influences=2", "weights=u8"])

    def test_every_command_has_the_option(self):
        self.write("nonsense = 1\n")
        arguments = {"diff": ["a", "b"], "convert": ["a", "b"], "list": ["methods"], "retarget": [ARM]}
        for command in COMMANDS:
            words = [command, *arguments.get(command, [ARM])]
            self.fail_with(3, *words, "--config", "c.toml", naming=("c.toml", "/nonsense", f"skinbake {command}"))

    def test_unknown_keys_name_the_nearest(self):
        for key, meant in (("metod", "method"), ("fail-maks", "fail-max"), ("Frames", "frames")):
            self.refuse(f'{key} = "1"\n', f"/{key}", f"did you mean '{meant}'?")
        self.refuse("[bkae]\nfps = 30\n", "/bkae", "did you mean 'bake'?")
        for key in ("help", "config", "version", "FILE", "o"):
            self.refuse(f'{key} = "x"\n', f"/{key}", "is not an option of skinbake bake")

    def test_wrong_values(self):
        self.refuse('fps = "fast"\n', "/fps", "--fps")
        self.refuse("threads = 5000\n", "/threads", "5000")
        self.refuse("strict = 3\n", "/strict", "true or false")
        self.refuse('method = ["lbs", "dqs"]\n', "/method", "one value")
        self.refuse('color = "alway"\n', "/color", "did you mean 'always'?")
        self.refuse("fps = 30\nfps = 24\n", "/fps")
        self.refuse('fps = 30\nspace = "mesh"\nfps = 24\n', "/fps", "twice")
        self.refuse("fps = 30\n[bake]\nfps = 24\n", "/fps", "twice")
        self.refuse('report = ""\n', "/report", "no value")

    def test_files_that_are_no_toml(self):
        for text, cause in (("fps", "line 1"), ("a=", "line 1"), ("\n\nfps =\n", "line 3"), ('method = "dqs\n', "not closed"),
                            ("output = [ 'a', \n", "a list is not closed"), ("output = 'a' ]\n", "no beginning"),
                            ('output = "a\\\\b"\n', "single quotes"), ("bake.fps = 30\n", "has a dot"),
                            ("[bake.x]\nfps = 30\n", "has a dot"), (b"fps = 30\0", "control characters"),
                            (b"\xef\xbb\xbfspeed = 1", "/speed")):
            self.refuse(text, cause)

    def test_files_that_cannot_be_read(self):
        (self.folder / "folder").mkdir()
        for path, cause in (("none.toml", "none.toml"), ("folder", "is a folder"), ("/dev/zero", "64 KiB"), ("", "")):
            self.fail_with(3, "bake", ARM, "-o", "a.pc2", "--config", path, naming=cause)
        self.write("")
        self.fail_with(2, "bake", ARM, "--config", "c.toml", "--config", "c.toml", naming="2 times")
        self.succeed("bake", "--help", "--config", "none.toml")

    def test_hostile_files_are_bounded(self):
        half = 32 << 10
        for text in ("[" * half, "[[" + "a." * half, "x = " + "[" * half, "a = 1\n" * (half // 4), ("[" + "b" * 100 + "]\n") * 300,
                     "[bake]\n[compare]\n" * (half // 9), '"' * half, "= 1\n" * (half // 4), "]" * half):
            self.write(text)
            done = self.fail_with(3, "bake", ARM, "-o", "a.pc2", "--config", "c.toml", timeout=20) \
                if not text.startswith("[bake]") else self.run_program("bake", ARM, "-q", "-o", "a.pc2", "--config", "c.toml", timeout=20)
            self.assertIn(done.code, (0, 3))

    def test_random_text_ends_with_an_exit_code(self):
        choice = random.Random(4)
        parts = ["fps", "=", " ", "\n", "[", "]", "bake", '"', "'", ",", "#", "30", ".", "method", "true", "{", ";", "\t", "--", "++"]
        for _ in range(80):
            self.write("".join(choice.choice(parts) for _ in range(choice.randrange(1, 30))))
            done = self.run_program("bake", ARM, "-q", "-o", "a.pc2", "--frames", "0:0", "--config", "c.toml")
            self.assertIn(done.code, (0, 2, 3), self.read("c.toml"))

    def test_the_file_is_an_input(self):
        self.write('frames = "0:2"\n')
        before = self.read("c.toml")
        self.succeed("bake", ARM, "--config", "c.toml", "-q", "-o", "a.pc2", "--depfile", "a.d")
        self.assertIn(" c.toml", self.read("a.d").decode())
        self.fail_with(2, "bake", ARM, "--config", "c.toml", "-o", "a.pc2", "--report", "c.toml",
                       naming=("c.toml", "OUTPUT_IS_INPUT"))
        self.assertEqual(self.read("c.toml"), before)

    def test_both_kinds_of_files_together(self):
        self.write('frames = "0:2"\n')
        (self.folder / "words").write_text("--config c.toml -q")
        self.succeed("bake", ARM, "@words", "-o", "a.pc2", "--depfile", "a.d")
        self.assertIn(" words c.toml\n", self.read("a.d").decode())


if __name__ == "__main__":
    main()
