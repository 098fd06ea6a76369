#include <etch/base/sequence.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace etch;

// fixed: an array that may be empty, compares, and is fit to be a template argument.
static_assert(fixed<int, 3>::size() == 3 && fixed<int, 0>::size() == 0);
static_assert([] {
  fixed<int, 0> const none;
  return none.begin() == none.end() && none == fixed<int, 0>{};
}());
static_assert(std::is_same_v<decltype(fixed{1.5, 2.5}), fixed<double, 2>> && fixed{1, 2}[1] == 2);
static_assert(fixed<int, 3>{1} == fixed<int, 3>{1, 0, 0} && !(fixed{1, 2} == fixed{2, 1}));
template <auto Value>
struct keyed {};
static_assert(std::is_same_v<keyed<fixed{1, 2}>, keyed<fixed<int, 2>{1, 2}>> &&
              !std::is_same_v<keyed<fixed{1, 2}>, keyed<fixed{1, 3}>>);
static_assert([] {
  int total = 0;
  for (int e : fixed{1, 2, 3}) total += e;
  fixed<int, 2> f{5, 6};
  f[0] = 9;
  for (int& e : f) ++e;
  return total == 6 && f[0] == 10 && f[1] == 7 && *f.data() == 10;
}());

// const_span: reads whatever stores its values side by side.
constexpr int counted(const_span<int> s) {
  int total = 0;
  for (int e : s) total = 10 * total + e;
  return total;
}
static_assert(counted(fixed{1, 2, 3}) == 123 && counted(std::array{4, 5}) == 45 && counted(sequence<int>{6, 7}) == 67 &&
              counted({}) == 0);
static_assert([] {
  int const numbers[] = {1, 2, 3, 4};
  const_span<int> const all = numbers, part = all.first(2), copy = part;
  return counted(all) == 1234 && counted(copy) == 12 && part.size() == 2 && all[3] == 4 && all.first(0).empty() &&
         !all.empty() && part.data() == numbers;
}());
static_assert(!std::is_constructible_v<const_span<int>, fixed<double, 2>> &&
              !std::is_constructible_v<const_span<int>, int>);

// sequence: grows, keeps its values and their order, and is a value itself.
static_assert([] {
  sequence<int> s;
  if (!s.empty() || s.size() != 0 || s.begin() != s.end()) return false;
  for (int i = 0; i < 1000; ++i) s.push_back(i);
  if (s.size() != 1000 || s.back() != 999) return false;
  for (int i = 0; i < 1000; ++i)
    if (s[static_cast<std::size_t>(i)] != i) return false;
  s.pop_back();
  s.back() = 7;
  return s.size() == 999 && s[998] == 7 && s.end() - s.begin() == 999;
}());
static_assert([] {
  sequence<int> a{1, 2, 3};
  sequence<int> b = a, c(a.begin() + 1, a.end()), d;
  b[0] = 9;
  d = a;
  auto& itself = a;
  a = itself;
  sequence<int> const moved = std::move(d);
  return a == sequence<int>{1, 2, 3} && b == sequence<int>{9, 2, 3} && c == sequence<int>{2, 3} && moved == a &&
         !(a == b) && !(a == c);
}());
static_assert([] {
  sequence<int> s{1, 3};
  s.insert(1, 2);
  s.insert(0, 0);
  s.insert(4, 4);
  bool const inserted = s == sequence<int>{0, 1, 2, 3, 4};
  s.erase(0);
  s.erase(1);
  s.erase(2);
  return inserted && s == sequence<int>{1, 3};
}());
static_assert([] {
  sequence<int> s{1, 2};
  s.clear();
  s.push_back(5);
  s.reserve(100);
  int const* const before = s.data();
  for (int i = 0; i < 99; ++i) s.push_back(i);
  return s.size() == 100 && s[0] == 5 && s.data() == before;
}());
static_assert(filled(3, 'x') == sequence<char>{'x', 'x', 'x'} && filled(0, 1).empty() &&
              filled(2, sequence<int>{1, 2})[1].back() == 2);

TEST_CASE("a sequence holds values that own memory") {
  sequence<std::string> words{"a long enough sentence to live on the heap", "b"};
  for (int i = 0; i < 40; ++i) words.push_back(words[0]);  // from itself, also while it grows
  sequence<std::string> const copy = words;
  words.insert(1, "inserted");
  words.erase(0);
  CHECK(words.size() == 42);
  CHECK(words[0] == "inserted");
  CHECK(words[1] == "b");
  CHECK(words.back() == "a long enough sentence to live on the heap");
  CHECK(copy.size() == 42);
  CHECK(copy[41] == copy[0]);
  sequence<sequence<int>> nested;
  for (int i = 0; i < 20; ++i) nested.push_back(filled(static_cast<std::size_t>(i), i));
  CHECK(nested[19].size() == 19);
  CHECK(nested[5] == sequence<int>{5, 5, 5, 5, 5});
}

TEST_CASE("a sequence becomes a vector") {
  std::vector<int> const v = sequence<int>{3, 1, 2};
  CHECK(v == std::vector<int>{3, 1, 2});
}

}  // namespace
