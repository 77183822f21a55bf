#!/usr/bin/env python3
"""URIs of buffers and images as exporters write them: the files bake, and a baked GLB contains its images."""

import base64
import json
import struct

from support import CliTest, main, moving_rig, require_shared

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def images_in(glb):
    length, = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20:20 + length]).get("images", [])


class Uris(CliTest):
    def rig(self, buffer_uri, image_uri=None):
        document, data = moving_rig(["a"], buffer=buffer_uri)
        if image_uri:
            document["images"] = [{"uri": image_uri}]
            document["textures"] = [{"source": 0}]
            document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
            document["meshes"][0]["primitives"][0]["material"] = 0
        (self.folder / "r.gltf").write_text(json.dumps(document))
        return data

    def bakes(self, uri, data_of):
        data = self.rig(uri)
        self.rig(data_of(data) if data_of else uri)
        self.succeed("bake", "r.gltf", "-o", "x.pc2", "-q")
        return self.read("x.pc2")

    def test_data_uris_of_exporters_bake_the_same_bytes(self):
        def lines(data):
            code = base64.b64encode(data).decode()
            return "data:;base64,\n" + "\r\n".join(code[i:i + 76] for i in range(0, len(code), 76))

        def escaped(data):
            return "data:;base64," + "".join(f"%{ord(c):02x}" for c in base64.b64encode(data).decode())

        forms = [lambda data: "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
                 lambda data: "data:application/octet-stream;BASE64," + base64.b64encode(data).decode(),
                 lambda data: "data:x/y; base64 , " + base64.b64encode(data).decode().rstrip("="),
                 lines, escaped]
        baked = {self.bakes("", form) for form in forms}
        self.assertEqual(len(baked), 1)

    def test_a_malformed_data_uri_says_what_is_malformed(self):
        for uri, words in (("data:;base64,AAA_?", "has '?' as character 5"), ("data:;base64,AAAAA", "5 digits"),
                           ("data:;base64", "without a comma")):
            self.rig(uri)
            self.fail_with(3, "bake", "r.gltf", "-o", "x.pc2", naming=("/buffers/0", words, "URI_INVALID"))

    def test_names_of_files_and_images_are_decoded_or_as_written(self):
        baked = set()
        for name, uri in (("a b.bin", "a%20b.bin"), ("50%.bin", "50%.bin"), ("c%41.bin", "c%41.bin"),
                          ("sub/d.bin", "sub\\d.bin"), ("sub/e f.bin", ".\\sub\\e%20f.bin")):
            data = self.rig(uri, uri.replace(".bin", ".png"))
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(data)
            (self.folder / name.replace(".bin", ".png")).write_bytes(PNG)
            self.succeed("bake", "r.gltf", "-o", "x.glb", "-q")
            self.assertEqual(len(images_in(self.read("x.glb"))), 1, uri)
            self.succeed("bake", "r.gltf", "-o", "x.pc2", "-q")
            baked.add(self.read("x.pc2"))
        self.assertEqual(len(baked), 1)

    def test_an_output_does_not_replace_a_file_that_a_written_name_means(self):
        self.rig("b%20.bin", "p 5%.npy")
        data, _ = moving_rig(["a"])[1], (self.folder / "p 5%.npy").write_bytes(PNG)
        (self.folder / "b%20.bin").write_bytes(data)
        self.fail_with(2, "bake", "r.gltf", "-o", "p 5%.npy", naming="OUTPUT_IS_INPUT")


class Cases(CliTest):
    REFUSED = {"h_query", "m_case", "l_hash", "bytelength_3_too_many", "comment", "glb_buffer_second", "length_zero_bin",
               "minversion", "trailing_comma", "utf16"}

    def test_every_file_bakes_or_is_refused(self):
        cases = require_shared(self, "cases")
        files = sorted(cases.glob("02-uri/*/m.gltf")) + sorted(cases.glob("15-container/*.gl*"))
        self.assertGreater(len(files), 40)
        baked = {}
        for path in files:
            name = path.parent.name if path.name == "m.gltf" else path.stem
            done = self.run_program("bake", path, "-o", "x.pc2", "-q")
            self.assertIn(done.code, (0, 3) if name in self.REFUSED else (0,), done)
            if done.code == 0:
                baked.setdefault(path.parts[-2 if path.name != "m.gltf" else -3], set()).add(self.read("x.pc2"))
        self.assertEqual({folder: len(bytes_) for folder, bytes_ in baked.items()}, {"02-uri": 1, "15-container": 1})

    def test_every_baked_glb_has_its_texture(self):
        files = sorted(require_shared(self, "cases").glob("02-uri/img/*/m.gltf"))
        self.assertGreater(len(files), 4)
        for path in files:
            self.succeed("bake", path, "-o", "x.glb", "-q")
            self.assertEqual(len(images_in(self.read("x.glb"))), 1, path)


if __name__ == "__main__":
    main()
