#include <etch/machine/elementwise_kernel.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;
using pass::source;

namespace {

/// out0 = in0 * in1 + 3, out1 = its sum: in0 has step 2, in1 are ints, over 7 entries and 2 rows.
template <class T>
consteval auto example() {
  run::signature<4, 2, 2> s;
  s.type = element_of<T>;
  s.extent = {7, 2, 1, 1};
  s.in[0] = {source::memory, s.type, {2, 14, 0, 0}, 0};
  s.in[1] = {source::memory, element::i32, {1, 7, 0, 0}, 0};
  s.in[2] = {source::constant, s.type, {}, attribute_of(3)};
  s.in[3] = {source::index, s.type, {1, 10, 0, 0}, 0};
  s.code[0] = {opcode_of<op::mul>, {0, 1, 0}};
  s.code[1] = {opcode_of<op::add>, {4, 2, 0}};
  s.out[0] = {{1, 7, 0, 0}, 5, false, false, 0};
  s.out[1] = {{0, 0, 0, 0}, 3, true, false, opcode_of<op::sum>};
  return s;
}

template <class T>
void run_example() {
  static constexpr auto s = example<T>();
  std::vector<T> in(28);
  std::vector<int> whole(14);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<int>(i) - 5;
  std::vector<T> out(16, T(-1));
  T sum = -1;
  std::byte dummy{};
  std::byte* pointers[] = {
      reinterpret_cast<std::byte*>(in.data()),  reinterpret_cast<std::byte*>(whole.data()), &dummy, &dummy,
      reinterpret_cast<std::byte*>(out.data()), reinterpret_cast<std::byte*>(&sum)};
  run::elementwise_kernel<run::pack_signature<s>()>::run(pointers);
  for (int i = 0; i < 14; ++i) CHECK(out[static_cast<std::size_t>(i)] == static_cast<T>(2 * i * (i - 5) + 3));
  CHECK(out[14] == -1);
  CHECK(out[15] == -1);
  CHECK(sum == 21 + 91);  // 0 + ... + 6 and 10 + ... + 16
}

}  // namespace

TEST_CASE("a body reads memory with any step and type, constants and indices, and writes its values") {
  run_example<float>();
  run_example<double>();
}

TEST_CASE("pointers advance along the outer axes alone, by bytes of their own types") {
  static constexpr auto s = example<double>();
  using body = run::body<run::pack_signature<s>(), double>;
  alignas(8) std::byte memory[1024];
  std::byte* from[body::pointer_count];
  std::byte* to[body::pointer_count];
  for (std::byte*& p : from) p = memory;
  body::advance(from, {99, 1, 0, 0}, to);
  CHECK(to[0] - memory == 14 * 8);
  CHECK(to[1] - memory == 7 * 4);
  CHECK(to[4] - memory == 7 * 8);
  CHECK(to[5] == memory);
}
