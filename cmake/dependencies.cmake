# The libraries that skinbake links to, with the versions of Debian 12. The installed package reads this
# file too, so that consumers find the same versions.

find_package(Eigen3 3.4 REQUIRED)
find_package(hwy 1.0.3 REQUIRED)
find_package(TBB 2021.8 REQUIRED)
find_package(nlohmann_json 3.11.2 REQUIRED)
find_package(TinyGLTF REQUIRED)
find_package(draco 1.5.5 REQUIRED)
find_package(meshoptimizer 0.18 REQUIRED)
find_package(OpenEXR 3.1 REQUIRED)
find_package(PNG 1.6 REQUIRED)
find_package(xxHash 0.8.1 REQUIRED)
