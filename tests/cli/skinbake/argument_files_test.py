#!/usr/bin/env python3
"""Words of the command line from files: @FILE."""

import random

from support import CliTest, RIGS, main, write_rig

ARM = RIGS / "bent_arm.gltf"


class ArgumentFiles(CliTest):
    def write(self, text, name="words.txt"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def test_words_stand_in_place_of_the_file(self):
        self.write("# a comment\n --method dqs\n\n\t--frames 0:4 # no comment: an unexpected argument\n")
        self.fail_with(2, "bake", ARM, "@words.txt", "-o", "a.pc2", naming="unexpected argument")
        self.write("# a comment\n  # another\n --method dqs\r\n\t--frames\t0:4\n")
        self.succeed("bake", ARM, "@words.txt", "-q", "-o", "a.pc2")
        self.succeed("bake", ARM, "--method", "dqs", "--frames", "0:4", "-q", "-o", "b.pc2")
        self.assertEqual(self.read("a.pc2"), self.read("b.pc2"))

    def test_a_file_may_hold_the_whole_command_line(self):
        self.write(f"bake '{ARM}' -q -o a.pc2 --frames 0:2")
        self.succeed("@words.txt")
        self.assertTrue((self.folder / "a.pc2").exists())

    def test_quotes_and_backslashes(self):
        rig = write_rig(self.folder / "r i g.gltf", ["a"], clips=("a b", "it's", '"x"', "\\"))
        for written, clip in (("'a b'", "a b"), ('"a b"', "a b"), ("a\\ b", "a b"), ('"it\'s"', "it's"), ("it\\'s", "it's"),
                              ("'\"x\"'", '"x"'), ("'#1'", "it's"), ("\\#1", "it's"), ("\\\\", "\\"), ("a' 'b", "a b")):
            self.write(f"--clip {written}")
            self.succeed("bake", rig, "@words.txt", "-q", "-o", "a.pc2")
            self.assertEqual(self.json("a.pc2.json")["clip"], clip)
        self.write("''")  # an empty word is a word
        self.fail_with(2, "list", "@words.txt", naming="TOPIC: ''")

    def test_a_value_may_begin_with_at(self):
        rig = write_rig(self.folder / "r.gltf", ["a"], clips=("@walk", "run"))
        self.succeed("bake", rig, "--clip=@walk", "-q", "-o", "a.pc2")
        self.fail_with(3, "bake", rig, "--clip", "@walk", "-o", "b.pc2",
                       naming=("walk", "cannot be read", "ARGUMENTS_INVALID"))
        write_rig(self.folder / "@r.gltf", ["a"])
        self.succeed("inspect", "./@r.gltf")
        self.succeed("inspect", "--", "@r.gltf")

    def test_files_are_inputs(self):
        self.write("--frames 0:2")
        before = self.read("words.txt")
        self.succeed("bake", ARM, "@words.txt", "-q", "-o", "a.pc2", "--depfile", "a.d")
        self.assertIn(" words.txt", self.read("a.d").decode())
        for words in (["-o", "a.pc2", "--report", "words.txt"], ["-o", "a.pc2", "--depfile", "words.txt"]):
            self.fail_with(2, "bake", ARM, "@words.txt", *words, naming=("words.txt", "file of options", "OUTPUT_IS_INPUT"))
        self.assertEqual(self.read("words.txt"), before)

    def test_wrong_files(self):
        (self.folder / "folder").mkdir()
        for text, cause in ((b"'open", "is not closed"), (b"\n\n\"open", "line 3"), (b"a\\", "backslash"),
                            (b"@other.txt", "names another file"), (b"a\0b", "control characters"),
                            (b"x " * 40000, "larger than 64 KiB")):
            self.write(text)
            self.fail_with(3, "bake", ARM, "@words.txt", "-o", "a.pc2", naming=("words.txt", cause, "ARGUMENTS_INVALID"))
        self.fail_with(3, "bake", ARM, "@none.txt", naming="none.txt")
        self.fail_with(3, "bake", ARM, "@folder", naming="is a folder")
        self.fail_with(3, "bake", ARM, "@/dev/zero", naming="64 KiB")
        self.fail_with(2, "bake", ARM, "-o", "a.pc2", "@", naming="unexpected argument '@'")

    def test_random_bytes_end_with_an_exit_code(self):
        random_bytes = random.Random(19)
        for _ in range(60):
            self.write(bytes(random_bytes.choice(b"'\"\\@# -o=\nabc\t\xc3\x00") for _ in range(random_bytes.randrange(60))))
            self.assertIn(self.run_program("list", "@words.txt").code, (0, 2, 3))


if __name__ == "__main__":
    main()
