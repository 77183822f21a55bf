#!/usr/bin/env python3
"""The seeds of the cache fuzzer are valid caches, so that the fuzzer passes the first checks."""

import sys

from support import CliTest, SOURCE, main

sys.path.insert(0, str(SOURCE / "tests/fuzz"))
from make_corpus import cache_seeds  # noqa: E402

EXTENSIONS = (".pc2", ".mdd", ".npy", ".glb")  # by the selecting byte of cache_fuzzer.cpp


class Seeds(CliTest):
    def test_every_complete_cache_is_read(self):
        kinds = []
        for number, (kind, seed) in enumerate(cache_seeds()):
            if kind >= len(EXTENSIONS):  # parts of a file
                continue
            name = f"{number}{EXTENSIONS[kind]}"
            (self.folder / name).write_bytes(seed)
            self.succeed("convert", name, f"{name}.npy", "--fps", "30")
            kinds.append(kind)
        self.assertEqual({kind: kinds.count(kind) for kind in kinds}, {0: 1, 1: 1, 2: 2, 3: 3})

    def test_encodings_of_a_baked_glb_contain_the_same_positions(self):
        rows = []
        for number, seed in enumerate(seed for kind, seed in cache_seeds() if kind == 3):
            (self.folder / f"{number}.glb").write_bytes(seed)
            self.succeed("convert", f"{number}.glb", f"{number}.npy")
            rows.append(self.read(f"{number}.npy"))
        self.assertEqual(rows[1], rows[2])  # int16, compressed without loss
        self.assertNotEqual(rows[0], rows[1])


if __name__ == "__main__":
    main()
