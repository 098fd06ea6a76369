#include <etch/base/exception.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace etch;

static_assert(std::is_base_of_v<std::runtime_error, exception>);

TEST_CASE("a mistake at run time throws its sentence, which says whose it is") {
  CHECK_THROWS_WITH_AS(error::raise("this is the fact"), "etch: this is the fact", exception);
  CHECK_THROWS_WITH_AS(error::file_is_malformed("digits", 16, "too short"), "etch: digits: at byte 16: too short",
                       exception);
  CHECK_THROWS_WITH_AS(error::rank_too_large(5),
                       "etch: tensors have rank 0 to 4, and this operation would give one of rank 5", exception);
  CHECK_THROWS_AS(error::index_out_of_range(7, 3), exception);
}
