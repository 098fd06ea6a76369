// version: the version of the library as a constant.
#pragma once

#include <etch/base/namespace.hpp>

ETCH_NAMESPACE_BEGIN

/// Version of the library as numbers; the same three numbers stand in `meson.build`.
struct version_numbers {
  int major, minor, patch;
};
/// The version of these headers.
inline constexpr version_numbers version{ETCH_VERSION_MAJOR, ETCH_VERSION_MINOR, ETCH_VERSION_PATCH};

ETCH_NAMESPACE_END
