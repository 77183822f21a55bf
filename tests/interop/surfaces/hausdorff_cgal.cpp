// Prints the Hausdorff distance of two triangle meshes in OFF files, computed by CGAL, for each
// pair of arguments:
//
//     hausdorff_cgal ERROR A.off B.off [A.off B.off…]
//
// The distance is wrong by at most ERROR, an absolute length. CGAL is under the GPL: only this test
// uses it.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/distance.h>
#include <CGAL/Surface_mesh.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using Mesh = CGAL::Surface_mesh<CGAL::Exact_predicates_inexact_constructions_kernel::Point_3>;

namespace {

// Triangles do not share vertices, because a mesh of CGAL does not have edges of three triangles.
Mesh read(const char* path) {
  std::ifstream file(path);
  std::string head;
  std::size_t points = 0, faces = 0, edges = 0, three = 0;
  file >> head >> points >> faces >> edges;
  std::vector<Mesh::Point> at;
  double x, y, z;
  for (std::size_t p = 0; p < points && file >> x >> y >> z; ++p) at.emplace_back(x, y, z);
  Mesh mesh;
  std::size_t a, b, c;
  for (std::size_t f = 0; f < faces && file >> three >> a >> b >> c; ++f) {
    if (CGAL::collinear(at[a], at[b], at[c])) continue;
    mesh.add_face(mesh.add_vertex(at[a]), mesh.add_vertex(at[b]), mesh.add_vertex(at[c]));
  }
  if (!file || mesh.is_empty()) std::exit(2);
  return mesh;
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 2; i + 1 < count; i += 2) {
    const Mesh a = read(arguments[i]), b = read(arguments[i + 1]);
    std::printf("%.17g\n",
                CGAL::Polygon_mesh_processing::bounded_error_symmetric_Hausdorff_distance<
                    CGAL::Sequential_tag>(a, b, std::atof(arguments[1])));
  }
}
