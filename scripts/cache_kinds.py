"""Kinds of caches: the rows of the size table (size_table.py) and of the writer benchmark."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Kind:
    extension: str
    options: str = ""  # options of --format, after the colon
    goal: float | None = 1.5  # largest ratio of the writer's time to the time of writing its bytes
    passes: int = 1  # 2: the frames are evaluated twice, because the head of the file depends on all of them

    @property
    def label(self):
        return f"{self.extension}:{self.options}" if self.options else self.extension

    @property
    def has_normals(self):
        return "normals=1" in self.options

    @property
    def has_materials(self):
        """Whether the format stores materials and texture coordinates, which are then loaded with the rig."""
        return self.extension in ("glb", "usda", "exr", "png")

    def arguments(self):
        """The arguments of `bake` besides -o."""
        format_id = "vat" if self.extension in ("exr", "png") else self.extension
        return ["--format", f"{format_id}:{self.options}"] if self.options else []


KINDS = [
    Kind("pc2"), Kind("mdd"), Kind("npy"), Kind("npy", "precision=half"),
    Kind("glb"), Kind("glb", "normals=1"),
    Kind("glb", "quantize=1", passes=2), Kind("glb", "quantize=1,normals=1", None, 2),
    Kind("glb", "quantize=1,bits=14,meshopt=1", None, 2), Kind("glb", "quantize=1,bits=12,meshopt=1", None, 2),
    Kind("glb", "quantize=1,bits=14,meshopt=1,normals=1", None, 2),
    Kind("usda", goal=6), Kind("usda", "normals=1", 6),
    Kind("exr", passes=2), Kind("exr", "precision=half", passes=2), Kind("exr", "normals=1", None, 2),
    Kind("exr", "precision=half,normals=1", None, 2), Kind("png", passes=2)]
