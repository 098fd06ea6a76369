# Makes the targets from the headers in etch_include_directory: etch::etch, and etch::files for what reads and writes files.
# Eigen and Boost have been found.
find_package(ZLIB QUIET)
find_package(nlohmann_json QUIET)

if(NOT TARGET etch::etch)
  add_library(etch::etch INTERFACE IMPORTED GLOBAL)
  target_include_directories(etch::etch INTERFACE "${etch_include_directory}")
  target_compile_features(etch::etch INTERFACE cxx_std_20)
  target_link_libraries(etch::etch INTERFACE Eigen3::Eigen Boost::headers)
endif()

# <etch/io/...> includes zlib, and <etch/io/safetensors.hpp> nlohmann-json too.
if(ZLIB_FOUND AND NOT TARGET etch::files)
  add_library(etch::files INTERFACE IMPORTED GLOBAL)
  target_link_libraries(etch::files INTERFACE etch::etch ZLIB::ZLIB)
  if(nlohmann_json_FOUND)
    target_link_libraries(etch::files INTERFACE nlohmann_json::nlohmann_json)
  endif()
endif()
set(etch_files_FOUND ${ZLIB_FOUND})
