# The sources are the checkout that this port lies in, for use as an overlay. A triplet may name others: set(ETCH_SOURCE_PATH ...).
# In a registry, vcpkg_from_github takes the place of the next three lines.
if(NOT DEFINED ETCH_SOURCE_PATH)
  get_filename_component(ETCH_SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
endif()

set(VCPKG_BUILD_TYPE release) # header-only

vcpkg_cmake_configure(SOURCE_PATH "${ETCH_SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/etch)

# vcpkg wants no documents among headers.
file(GLOB_RECURSE etch_pages "${CURRENT_PACKAGES_DIR}/include/*.md")
file(REMOVE ${etch_pages})
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/cmake")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${ETCH_SOURCE_PATH}/LICENSE")
