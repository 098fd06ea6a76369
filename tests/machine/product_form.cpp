#include "compile/products.hpp"

using namespace etch;
using products::problem;

namespace {

constexpr int width = std::max(widest<float>, 4);

template <problem P>
constexpr run::detail::product_form<float> form{products::way_of<float>(P)};

/// Products as small as those of constants have no tail.
template <class T>
constexpr pass::contraction without_tail(problem const& p) {
  pass::contraction way = products::way_of<T>(p);
  way.tail = {};
  return way;
}

/// Whether the loops that a table drives leave the same bits as those of constants.
template <class T, problem P, pass::contraction Way = without_tail<T>(P)>
void check_both() {
  static constexpr problem p = P;
  CAPTURE(p.m);
  CAPTURE(p.k);
  CAPTURE(p.n);
  static constexpr auto packed = run::pack_signature<products::kernel<T, P, Way>>();
  static constexpr auto const& s = run::unpacked<packed>;
  static constexpr auto shared = run::without_layout(s);
  using V = typename number_of_width<T, run::detail::product_form<T>{Way}.rows_at_once()>::type;
  using shared_epilogue = run::epilogue<run::pack_signature<shared>(), V>;
  using constant_epilogue = run::epilogue<packed, V, run::constant_layout<packed>>;
  products::storage<T> by_table(p);
  for (std::size_t i = 0; i < by_table.a.size(); ++i) by_table.a[i] = static_cast<T>(std::sin(static_cast<double>(i)));
  for (std::size_t i = 0; i < by_table.b.size(); ++i) by_table.b[i] = static_cast<T>(std::cos(static_cast<double>(i)));
  products::storage<T> by_constants = by_table;
  auto const compute = [](products::storage<T>& in, auto const& product, auto epilogue, auto const& where) {
    std::vector<T> scratch(static_cast<std::size_t>(s.product.packed_entries()));
    auto const bytes = [](std::vector<T>& x) { return reinterpret_cast<std::byte*>(x.data()); };
    std::byte dummy{};
    std::byte* alone[] = {&dummy, bytes(in.c)};
    std::byte* finished[] = {&dummy, bytes(in.v), &dummy, bytes(in.c), bytes(in.twice)};
    using made_by = typename decltype(epilogue)::type;
    made_by made(s.inputs == 3 ? finished : alone, where);
    T const *left = in.a.data(), *right = in.b.data();
    if (s.product.transposed) std::swap(left, right);
    run::gemm_loops<T, std::remove_cvref_t<decltype(product)>, made_by>(product, made, scratch.data()).run(left, right);
  };
  compute(by_table, run::product_table<T, Way.inner>::template of<packed>(), std::type_identity<shared_epilogue>{},
          run::layout_of(s));
  compute(by_constants, run::constant_product<packed>{}, std::type_identity<constant_epilogue>{},
          run::constant_layout<packed>{});
  CHECK(std::memcmp(by_table.c.data(), by_constants.c.data(), sizeof(T) * by_table.c.size()) == 0);
  CHECK(std::memcmp(by_table.twice.data(), by_constants.twice.data(), sizeof(T) * by_table.twice.size()) == 0);
}

/// The way of a product in blocks of terms, its operands packed.
constexpr pass::contraction in_blocks(pass::contraction way, bool in_parts) {
  way.pack_a = way.pack_b = true;
  way.packets = std::min(way.packets, static_cast<int>(way.highest) / way.width);
  way.k_block = 7;
  way.n_block = 2 * way.columns;
  way.in_parts = in_parts;
  return way;
}

constexpr pass::contraction along_k(pass::contraction way) {
  way.inner = true;
  return way;
}

}  // namespace

TEST_CASE("strips cover a product, the last ones what the others leave") {
  constexpr problem p{2 * width + 3, 20, 31};
  constexpr auto const& f = form<p>;
  constexpr int rows = f.c.main_rows() / f.rows(false) * f.rows(false) + f.rows(true) + f.c.tail.rows,
                columns = p.n / f.columns(false) * f.columns(false) + f.columns(true);
  static_assert(f.c.inner || (rows == (f.c.transposed ? p.n : p.m) && columns == (f.c.transposed ? p.m : p.n)));
  static_assert(f.c.inner || f.rows(true) == 0 ||
                (f.registers(true) - 1) * f.c.width + f.last_register(true) == f.rows(true));
}

TEST_CASE("only what is stored as it is, in one part, goes straight to its place") {
  constexpr auto f = form<problem{4 * width, 20, 31}>;
  static_assert(f.c.inner || f.is_direct(true, false));
  static_assert(!f.is_direct(false, false));
  constexpr run::detail::product_form<float> parts{in_blocks(f.c, true)}, inner{along_k(f.c)};
  static_assert(!parts.is_direct(true, false) && !inner.is_direct(true, false));
}

TEST_CASE("a table of numbers gives the bits that constants give") {
  check_both<float, problem{3, 5, 2}>();
  check_both<float, problem{2 * width + 3, 21, 17}>();
  check_both<float, problem{width - 1, 9, 40, false, true}>();
  check_both<float, problem{3 * width + 1, 22, 15, true, false, 1, 2, true, true}>();
  check_both<double, problem{width + 1, 13, 9, false, false, 1, 1, true}>();
  check_both<double, problem{5, 6 * width + 5, 3, true}>();
  check_both<float, problem{1, 37, 19, true}>();
  static constexpr problem blocked{5 * width + 3, 23, 61},
      finished{3 * width + 1, 24, 22, true, false, 1, 2, true, true};
  check_both<float, blocked, in_blocks(without_tail<float>(blocked), false)>();
  check_both<float, finished, in_blocks(without_tail<float>(finished), true)>();
}
