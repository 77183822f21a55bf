// A report for tests of its JSON and its pages.

#pragma once

#include <memory>
#include <string>

#include "metrics/shapes.h"
#include "report/report.h"

namespace skinbake::test {

// A report of one mesh, clip and method, from made-up numbers.
struct SmallReport {
  Rig rig;
  Clip clip;
  Report report;

  SmallReport() {
    rig = test::rigid(test::tetrahedron());
    rig.id = "Body";
    auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
    skeleton->nodes[0].name = "Body";
    rig.skeleton = skeleton;
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    mesh->name = "Body.001";
    rig.mesh = mesh;
    clip.id = clip.name = "run";
    clip.index = 2;
    clip.duration_s = 0.1;
    const FrameRange frames{30, 2, 1, 2};
    const std::string hash(32, 'a');
    report.command = "bake";
    report.inputs = {{"rig", "hero.glb", 490264, hash}};
    report.settings.reference = "lbs";
    report.clips = {{&clip, frames}};
    report.outputs = {{"run.pc2", "pc2", "Body", "run", "dqs", 224, hash}};
    Check& check = report.checks.emplace_back();
    check.key = "volume.max_loss";
    check.limit = 0.02;
    check.value = check.rank = 0.0266;
    check.failures = 1;
    check.mesh = "Body";
    check.clip = "run";
    check.method = "dqs";
    check.frame = 3;
    report.issues = {
        {"WEIGHTS_ZERO", Severity::kWarning, "hero.glb", "/meshes/1", "b \"quoted\"", 1},
        {"WEIGHTS_RENORMALISED", Severity::kWarning, "hero.glb", "/meshes/0", "a", 2}};
    const BaselinePose baseline = bind_baseline(rig);
    MeshRecord& record = report.meshes.emplace_back();
    record.rig = &rig;
    record.bbox_diagonal_m = 1.5;
    record.topology = build_topology(rig, baseline);
    record.topology->components[0].cap_area_fraction = 0;
    RunRecord& run = record.runs.emplace_back();
    run.clip = "run";
    run.method = "dqs";
    run.frames = frames;
    run.reference = "lbs";
    run.error = error();
    run.volume = volume();
  }

  static PositionErrorResult error() {
    PositionErrorResult e;
    e.rms = 0.002;
    e.mean = 0.001;
    e.max = 0.0062;
    e.max_at = {1, 2};
    e.rms_relative = 0.0012;
    e.max_relative = 0.0036;
    e.erms = 1.4;
    e.per_frame = {{0, 0.001}, {0, 0.0009}, {0, 0.0062}, {0, 2}, {0, 0.5}, {0, 0.25}, {-0.0, 1}};
    e.per_vertex = {{0.001, 0.1, 0.002, 0}, {0.002, 0.1, 0.1, 0}, {0, 1, 1, 0}};
    return e;
  }

  static VolumeResult volume() {
    VolumeResult v;
    v.total = VolumeResult::Extremes{0.25, 0.0266, 0, {1, -1}, {0, -1}};
    v.volume_m3 = {0.25, 0.24};
    v.loss = {0, 0.0266};
    VolumeResult::PerComponent& component = v.components.emplace_back();
    static_cast<VolumeResult::Extremes&>(component) = *v.total;
    VolumeResult::PerJoint& joint = v.joints.emplace_back();
    static_cast<VolumeResult::Extremes&>(joint) = *v.total;
    joint.triangle_count = 2;
    joint.loss = {0, 0.0266};
    return v;
  }
};

}  // namespace skinbake::test
