// Headers that nearly every unit of the tests includes, read once. That headers name all they need is shown in
// tests/headers.
#include <etch/etch.hpp>
#include <etch/tape/extern.hpp>

#include <doctest/doctest.h>
