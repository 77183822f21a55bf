"""Imports a GLB of one mesh into Blender and writes the positions of its vertices, frame by frame.

    blender -b --factory-startup --python-exit-code 3 --python blender_glb_positions.py -- GLB FPS FRAMES RAW

RAW gets float64 [frame][vertex][axis], evaluated by Blender, with +Y up again.
"""

import array
import sys

import bpy
import numpy

for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in numpy.__dict__:  # the importer of Blender 3.4 uses names that NumPy 1.24 has removed
        setattr(numpy, _name, _type)


def main():
    glb, fps, frames, raw = sys.argv[sys.argv.index("--") + 1:]
    scene = bpy.context.scene
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene.render.fps, scene.render.fps_base = int(fps), 1  # set before the import, which turns key times into frames
    bpy.ops.import_scene.gltf(filepath=glb)
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    if len(meshes) != 1:
        raise ValueError(f"{len(meshes)} meshes were imported")
    numbers = array.array("d")
    for frame in range(int(frames)):
        scene.frame_set(frame)
        evaluated = meshes[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
        for vertex in evaluated.data.vertices:
            x, y, z = evaluated.matrix_world @ vertex.co
            numbers.extend((x, z, -y))
    with open(raw, "wb") as file:
        numbers.tofile(file)


main()
