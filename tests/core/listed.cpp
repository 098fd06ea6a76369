#include <etch/core/listed.hpp>
#include <etch/core/named_view.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;
using detail::first_repeated_member, detail::lists_all_members;

/// Whether a struct template lists its members as it is traced, as it is on a program's side, and
/// as a plain aggregate of doubles.
template <template <class> class S>
constexpr bool complete = lists_all_members<S<symbol<float>>>() && lists_all_members<S<symbol<double>>>() &&
                          detail::is_sound_argument<S<float>> && detail::is_sound_argument<S<double>>;
template <template <class> class S>
constexpr bool incomplete = !lists_all_members<S<symbol<float>>>() && !lists_all_members<S<symbol<double>>>();

struct nothing {};
struct nothing_else {};

namespace valid {

template <class T>
struct plain {
  param<T, 3> w;
  T b;
  ETCH_MEMBERS(plain, w, b)
};
template <class T>
struct in_any_order {
  T a = 1;
  param<T, 3> w{};
  T b{};
  ETCH_MEMBERS(in_any_order, b, a, w)
};
template <class T>
struct with_constructors {
  T a, b;
  constexpr with_constructors() : a(0), b(1) {}
  explicit constexpr with_constructors(T x) : a(x), b(x) {}
  ETCH_MEMBERS(with_constructors, a, b)
};
template <class T>
struct with_statics_and_methods {
  static constexpr int count = 3;
  static constexpr double table[]{1, 2, 3};
  enum { five = 5 };
  using type = T;
  param<T, 2> w;
  constexpr auto operator()(auto x) const { return w * x; }
  static constexpr auto twice(auto x) { return x + x; }
  ETCH_MEMBERS(with_statics_and_methods, w)
};
template <class T>
class with_private_members {
  T a{}, b{};

 public:
  ETCH_MEMBERS(with_private_members, a, b)
};
template <class T>
struct base {
  T a;
  param<T, 2> v;
  ETCH_MEMBERS(base, a, v)
};
template <class T>
struct derived : base<T> {
  T c;
  ETCH_MEMBERS(derived, a, v, c)
};
template <class T>
struct with_methods_only : base<T> {
  constexpr auto twice() const { return this->a + this->a; }
};
template <class T>
struct derived_with_constructor : base<T> {
  T c;
  constexpr derived_with_constructor() : base<T>{}, c(2) {}
  ETCH_MEMBERS(derived_with_constructor, c, v, a)
};
template <class T>
struct with_empty_base : nothing, nothing_else {
  T c;
  ETCH_MEMBERS(with_empty_base, c)
};
template <class T>
struct with_empty_members {
  nothing before;
  T a;
  nothing between;
  nothing_else too;
  T b;
  nothing after;
  ETCH_MEMBERS(with_empty_members, before, a, between, too, b, after)
};
template <class T>
struct with_empty_members_left_out {
  nothing before;
  T a;
  [[no_unique_address]] nothing_else policy;
  T b;
  ETCH_MEMBERS(with_empty_members_left_out, a, b)
};
template <class T>
struct with_empty_base_and_member : nothing {
  nothing same;
  T a;
  ETCH_MEMBERS(with_empty_base_and_member, same, a)
};
template <class T>
struct empty_member_and_constructor {
  nothing first;
  T a;
  constexpr empty_member_and_constructor() : a(0) {}
  ETCH_MEMBERS(empty_member_and_constructor, first, a)
};
template <class T>
struct nested {
  plain<T> first;
  std::array<plain<T>, 2> more;
  std::array<param<T>, 3> numbers;
  std::tuple<T, param<T, 2>> pair;
  with_empty_members<T> odd;
  ETCH_MEMBERS(nested, first, more, numbers, pair, odd)
};
template <class T>
struct alignas(128) aligned {
  T a;
  alignas(64) T b;
  ETCH_MEMBERS(aligned, a, b)
};
template <class T>
struct aligned_with_constructor {
  alignas(64) T a;
  T b;
  alignas(64) T c;
  constexpr aligned_with_constructor() : a(0), b(0), c(0) {}
  ETCH_MEMBERS(aligned_with_constructor, a, b, c)
};
template <class T>
struct polymorphic {
  T a{};
  constexpr virtual ~polymorphic() = default;
  ETCH_MEMBERS(polymorphic, a)
};
template <class T>
struct one_tuple {
  nothing first;
  std::tuple<T> only;
  ETCH_MEMBERS(one_tuple, first, only)
};

}  // namespace valid

static_assert(complete<valid::plain> && complete<valid::in_any_order> && complete<valid::with_constructors> &&
              complete<valid::with_statics_and_methods> && complete<valid::with_private_members> &&
              complete<valid::base> && complete<valid::derived> && complete<valid::with_methods_only> &&
              complete<valid::derived_with_constructor> && complete<valid::with_empty_base> &&
              complete<valid::with_empty_members> && complete<valid::with_empty_members_left_out> &&
              complete<valid::with_empty_base_and_member> && complete<valid::empty_member_and_constructor> &&
              complete<valid::nested> && complete<valid::aligned> && complete<valid::aligned_with_constructor> &&
              complete<valid::polymorphic> && complete<valid::one_tuple>);

namespace mistaken {

template <class T>
struct last {
  param<T, 3> w;
  T b;
  ETCH_MEMBERS(last, w)
};
template <class T>
struct first {
  T b;
  param<T, 3> w;
  ETCH_MEMBERS(first, w)
};
template <class T>
struct between_scalars {
  T a, b, c;
  ETCH_MEMBERS(between_scalars, a, c)
};
template <class T>
struct initialised {
  T a = 1, b = 2;
  ETCH_MEMBERS(initialised, a)
};
template <class T>
struct constant {
  T a;
  int repeats = 3;
  ETCH_MEMBERS(constant, a)
};
template <class T>
struct flag {
  nothing policy;
  bool on;
  T a;
  ETCH_MEMBERS(flag, policy, a)
};
template <class T>
struct array_of_numbers {
  T a;
  T more[3];
  ETCH_MEMBERS(array_of_numbers, a)
};
template <class T>
struct with_constructor {
  T a, b;
  constexpr with_constructor() : a(0), b(0) {}
  ETCH_MEMBERS(with_constructor, a)
};
template <class T>
struct constant_and_constructor {
  T a;
  float repeats;
  constexpr constant_and_constructor() : a(0), repeats(3) {}
  ETCH_MEMBERS(constant_and_constructor, a)
};
template <class T>
class private_member {
  T a{}, b{};

 public:
  ETCH_MEMBERS(private_member, a)
};
template <class T>
struct own_member : valid::base<T> {
  T c, d;
  ETCH_MEMBERS(own_member, a, v, c)
};
template <class T>
struct member_of_base : valid::base<T> {
  T c;
  ETCH_MEMBERS(member_of_base, a, c)
};
template <class T>
struct list_of_base : valid::base<T> {
  T c;
};
template <class T>
struct beside_empty_members {
  nothing x;
  T a;
  nothing_else y;
  T b;
  ETCH_MEMBERS(beside_empty_members, x, a, y)
};
template <class T>
struct aligned {
  alignas(64) T a;
  T b;
  ETCH_MEMBERS(aligned, a)
};
template <class T>
struct polymorphic {
  T a{}, b{};
  constexpr virtual ~polymorphic() = default;
  ETCH_MEMBERS(polymorphic, a)
};
template <class T>
struct nested_struct {
  T a;
  valid::plain<T> inner;
  ETCH_MEMBERS(nested_struct, a)
};

}  // namespace mistaken

static_assert(incomplete<mistaken::last> && incomplete<mistaken::first> && incomplete<mistaken::between_scalars> &&
              incomplete<mistaken::initialised> && incomplete<mistaken::constant> && incomplete<mistaken::flag> &&
              incomplete<mistaken::array_of_numbers> && incomplete<mistaken::with_constructor> &&
              incomplete<mistaken::constant_and_constructor> && incomplete<mistaken::private_member> &&
              incomplete<mistaken::own_member> && incomplete<mistaken::member_of_base> &&
              incomplete<mistaken::list_of_base> && incomplete<mistaken::beside_empty_members> &&
              incomplete<mistaken::aligned> && incomplete<mistaken::polymorphic> &&
              incomplete<mistaken::nested_struct>);

// Structs that are seen as views by name: padding of every size, and members that nobody can construct from a brace.
struct record_of_all {
  double a;
  char pad;
  Eigen::Vector3f v;
  Eigen::Matrix<double, 2, 2> m;
  tensor<float, 3> t;
  int n;
  std::array<float, 3> numbers;
  std::tuple<double, float> pair;
  ETCH_MEMBERS(record_of_all, n, a, v, pad, m, t, numbers, pair)
};
struct record_with_constructor {
  double a;
  char pad;
  tensor<float, 3> t;
  Eigen::Vector3d v;
  record_with_constructor() : a(1), pad(0) {}
  ETCH_MEMBERS(record_with_constructor, a, pad, t, v)
};
struct record_that_misses {
  double a;
  float x, y;  // as large without `y`
  ETCH_MEMBERS(record_that_misses, a, x)
};
struct record_that_misses_a_matrix {
  tensor<float, 3> t;
  Eigen::Vector3d v;
  ETCH_MEMBERS(record_that_misses_a_matrix, t)
};
static_assert(lists_all_members<record_of_all>() && lists_all_members<record_with_constructor>());
static_assert(!lists_all_members<record_that_misses>() && !lists_all_members<record_that_misses_a_matrix>());

template <class T>
struct twice {
  T a, b, c;
  ETCH_MEMBERS(twice, a, b, a)
};
static_assert(first_repeated_member<twice<float>>() == 0 && first_repeated_member<valid::plain<float>>() == -1);

TEST_CASE("a struct whose members are all listed is an argument, whatever else it has") {
  int leaves = 0;
  valid::nested<float> n{};
  argument<valid::nested<float>>::visit(n, [&](auto*, std::size_t) { ++leaves; });
  CHECK(leaves == 2 + 4 + 3 + 2 + 2);
}

}  // namespace
