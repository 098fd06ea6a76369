#include <etch/transform/loop_bytes.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// A gated cell of 32 units over `Steps` steps of 16 sequences, with the gradient of its weights.
template <class Keep>
constexpr auto gated = [](auto gate, auto next, auto xs) {
  auto const last = scan(
      [&](auto h, auto x) {
        auto const z = sigmoid(gate * h + x);
        return h + cwise_product(z, tanh(next * h + x) - h);
      },
      zeros<32, 16>(), xs, Keep{});
  return sum(square(last));
};
using weights = tensor<float, 32, 32>;
template <int Steps, class Keep>
using program_of = decltype(compile<wrt<0, 1>>(gated<Keep>, weights{}, weights{}, tensor<float, 32, 16, Steps>{}));
template <int Steps, class Keep>
inline constexpr program_facts facts = program_of<Steps, Keep>::facts;
template <int Steps, class Keep>
inline constexpr loop_bytes loops = loop_memory<program_of<Steps, Keep>, Keep>;

constexpr std::int64_t carry = 32 * 16 * 4;

/// One program of 8 steps foretells those of 16 and 32.
template <class Keep>
consteval bool foretold() {
  return loops<8, Keep> == loops<16, Keep> && loops<8, Keep> == loops<32, Keep> &&
         loops<8, Keep>.kept(8) == facts<8, Keep>.saved_bytes &&
         loops<8, Keep>.kept(16) == facts<16, Keep>.saved_bytes &&
         loops<8, Keep>.kept(32) == facts<32, Keep>.saved_bytes &&
         loops<8, Keep>(32) - loops<8, Keep>(16) == facts<32, Keep>.workspace_bytes - facts<16, Keep>.workspace_bytes &&
         loops<8, Keep>(16) - loops<8, Keep>(8) == facts<16, Keep>.workspace_bytes - facts<8, Keep>.workspace_bytes;
}
static_assert(foretold<keep_all_t>());
static_assert(foretold<keep_carries_t>());
static_assert(foretold<keep_every_t<4>>());

// A step keeps the carry, the gate and the candidate; the carry; the carry of every fourth.
static_assert(loops<8, keep_all_t>.kept == affine_bytes{carry, 3 * carry});
static_assert(loops<8, keep_carries_t>.kept == affine_bytes{carry, carry});
static_assert(loops<8, keep_every_t<4>>.kept == affine_bytes{carry, carry, 4});
// Four steps that are computed again are kept while that part of the way back runs.
static_assert(loops<8, keep_every_t<4>>.running - loops<8, keep_carries_t>.running >= 4 * 3 * carry);
static_assert(loops<8, keep_carries_t>(32) < loops<8, keep_all_t>(32));
static_assert(loops<8, keep_every_t<4>>(32) < loops<8, keep_all_t>(32));

// A remainder stays what it is.
static_assert(loops<10, keep_every_t<4>> == loops<18, keep_every_t<4>>);
static_assert(loops<10, keep_every_t<4>>.kept(18) == facts<18, keep_every_t<4>>.saved_bytes);

// Five snapshots, whatever the number of steps, beside the carry that the loop began with.
using five = keep_recursive_t<5 * carry>;
static_assert(loops<40, five>.kept == affine_bytes{5 * carry + carry, 0});
static_assert(loops<40, five> == loops<80, five>);
static_assert(loops<40, five>.snapshots == 5);
static_assert(loops<40, five>.runs(40) == 2 + static_cast<double>(etch::detail::steps_run_again(40, 5)) / 40);
static_assert(loops<8, keep_all_t>.runs(8) == 1 && loops<8, keep_carries_t>.runs(8) == 2);
static_assert(loops<8, keep_every_t<4>>.runs(8) == 2);
// What fits is kept whole.
static_assert(loops<8, keep_recursive_t<1 << 20>> == loops<8, keep_all_t>);

}  // namespace

TEST_CASE("bytes grow by whole segments") {
  affine_bytes const each{64, 256}, every_fourth{64, 256, 4};
  CHECK(each(8) == 64 + 8 * 256);
  CHECK(every_fourth(8) == 64 + 2 * 256);
  CHECK(every_fourth(11) == 64 + 2 * 256);
  CHECK(loop_bytes{every_fourth, 1000}(4) == 1320);
}

TEST_CASE("a program without loops has none to keep for") {
  using program = decltype(compile([](auto w, auto x) { return sum(square(tanh(w * x))); }, weights{}, weights{}));
  CHECK(loop_memory<program> == loop_bytes{});
}
