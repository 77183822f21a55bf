"""What the tests of skinbake compare share."""

from support import CliTest, RIGS, strict_json

ARM = RIGS / "bent_arm.gltf"
TUBE = RIGS / "twisted_tube.gltf"
PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"


class CompareTest(CliTest):
    def compared(self, rig, *options, code=0):
        done = self.run_program("compare", rig, "--json", "-q", *options)
        self.assertEqual(done.code, code, done)
        return strict_json(done.out)

    def methods_of(self, *options, rig=PRISM):
        return [run["method"] for run in self.compared(rig, *options)["meshes"][0]["runs"]]

    def table(self, *options, code=0):
        """Rows of the only table, [[cell, …], …], without its title."""
        done = self.run_program("compare", *options)
        self.assertEqual(done.code, code, done)
        return [line.split() for line in done.out.splitlines()[1:]]
