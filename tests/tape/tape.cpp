// The life of a tape: going back, positions, variables that are gone or belong elsewhere, memory.
#include <etch/etch.hpp>
#include <etch/tape/tape.hpp>

#include "tape/close.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace etch;
using namespace tapes;

namespace {

using vector3 = tensor<double, 3>;

/// The sentence of the mistake that `f` makes; empty if it makes none.
template <class F>
std::string mistake_of(F f) {
  try {
    f();
  } catch (etch::exception const& e) {
    return e.what();
  }
  return "";
}
bool says(std::string const& sentence, char const* part) { return sentence.find(part) != std::string::npos; }

template <int... Dims>
tensor<double, Dims...> filled(double x) {
  tensor<double, Dims...> all;
  all.fill(x);
  return all;
}

constexpr char const *ran_already = "backward ran already", *no_gradient = "there is no gradient",
                     *of_constant = "a constant has no gradient", *elsewhere = "another tape",
                     *is_gone = "no longer exists", *is_full = "the tape is full";

}  // namespace

TEST_CASE("backward twice is a mistake, unless it was said the first time") {
  tape<double> t;
  auto const x = t.watch(3.0);
  auto const v = t.watch(vector3{1, 2, 3});
  var<double> const y = x * x * sum(square(v));
  t.backward(y);
  CHECK(says(mistake_of([&] { t.backward(y); }), ran_already));
  CHECK(says(mistake_of([&] { t.backward(x, retain); }), ran_already));
  CHECK(t.grad(x) == 6 * 14);  // still there
  CHECK(t.grad(v) == vector3{18, 36, 54});
  t.reset();

  auto const a = t.watch(3.0);
  auto const b = t.watch(vector3{1, 2, 3});
  var<double> const s = sum(square(b)), z = a * a * s;
  for (int i = 0; i < 3; ++i) {
    CHECK(t.backward(z, retain) == 9 * 14);
    CHECK(t.grad(a) == 6 * 14);
    CHECK(t.grad(b) == vector3{18, 36, 54});
  }
  CHECK(t.backward(s, retain) == 14);  // from elsewhere
  CHECK(t.grad(a) == 0);
  CHECK(t.grad(b) == vector3{2, 4, 6});
  CHECK(t.backward(z) == 9 * 14);
  CHECK(says(mistake_of([&] { t.backward(z); }), ran_already));
}

TEST_CASE("what is recorded after a retained way back belongs to the next one") {
  tape<double> t;
  auto const x = t.watch(2.0);
  var<double> const y = x * x;
  t.backward(y, retain);
  var<double> const z = y * x;
  t.backward(z, retain);
  CHECK(t.grad(x) == 12);
  CHECK(t.grad(y) == 2);
}

TEST_CASE("gradients that do not exist are mistakes; those of what the loss does not need are 0") {
  tape<double> t;
  auto const x = t.watch(2.0), aside = t.watch(1.0);
  auto const v = t.watch(vector3{1, 2, 3}), unused = t.watch(vector3{});
  var<double, 3> const computed = v * 2.0;
  auto const c = t.constant(5.0);
  auto const k = t.constant(vector3{1, 1, 1});
  CHECK(says(mistake_of([&] { t.grad(x); }), no_gradient));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(v)); }), no_gradient));
  t.backward(x * c + sum(cwise_product(computed, k)), retain);
  CHECK(t.grad(x) == 5);
  CHECK(t.grad(aside) == 0);
  CHECK(t.grad(v) == vector3{2, 2, 2});
  CHECK(t.grad(unused) == vector3{});
  CHECK(says(mistake_of([&] { t.grad(c); }), of_constant));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(k)); }), of_constant));
  CHECK(says(mistake_of([&] { t.grad(var<double>(3)); }), of_constant));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(var<double, 3>())); }), of_constant));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(computed)); }), "is not kept"));
  auto const late = t.watch(1.0);
  auto const late_vector = t.watch(vector3{});
  CHECK(says(mistake_of([&] { t.grad(late); }), "made after backward"));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(late_vector)); }), "made after backward"));
  CHECK(t.grad(x) == 5);
}

TEST_CASE("going back from a constant, a number, a leaf, and from what depends on nothing watched") {
  tape<double> t;
  auto const x = t.watch(2.0);
  auto const v = t.watch(vector3{1, 2, 3});
  CHECK(t.backward(t.constant(7.0), retain) == 7);
  CHECK(t.grad(x) == 0);
  CHECK(t.backward(7, retain) == 7);
  CHECK(t.grad(x) == 0);
  CHECK(t.backward(x, retain) == 2);
  CHECK(t.grad(x) == 1);
  CHECK(t.backward(sum(t.constant(vector3{1, 2, 3})), retain) == 6);
  CHECK(t.grad(x) == 0);
  CHECK(t.grad(v) == vector3{});
  CHECK(t.backward(floor(x) * 3, retain) == 6);
  CHECK(t.grad(x) == 0);
  CHECK(t.backward(v(1), retain) == 2);
  CHECK(t.grad(v) == vector3{0, 1, 0});
  CHECK(t.backward(x * 3) == 6);  // a statement that is no variable
  CHECK(t.grad(x) == 3);
}

TEST_CASE("a seed for a vector") {
  tape<double> t;
  auto const v = t.watch(vector3{1, 2, 3});
  t.backward(square(v), vector3{1, 10, 100});
  CHECK(t.grad(v) == vector3{2, 40, 600});
}

TEST_CASE("variables of another tape are a mistake wherever they are used") {
  tape<double> t, u;
  auto const x = t.watch(1.0), y = u.watch(2.0);
  auto const a = t.watch(vector3{1, 2, 3}), b = u.watch(vector3{1, 2, 3});
  auto const here = t.mark();
  CHECK(says(mistake_of([&] { static_cast<void>(var<double>(x * y)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(var<double>(sin(x) + 2 * exp(-y) * x)); }), elsewhere));
  CHECK(says(mistake_of([&] { t.backward(y); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(a + b); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(dot(a, b)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(transpose(b) * a); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(concat<0>(a, b)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(select(a, 1.0, b)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(gather<0>(a, u.constant(tensor<int, 2>{0, 2}))); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(a * y); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(sin(y) + a); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(var<double>(x * sum(b))); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(var<double>(sum(a) + sum(b))); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(var<double>(x * var<double>(sum(b)))); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(etch::repeat<2>([&](auto h) { return h + b; }, a)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(t.apply([](auto p, auto q) { return p * q; }, x, y)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(t.apply([](auto p, auto q) { return p + q; }, a, b)); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(t.checkpoint([](auto p) { return sum(p); }, b)); }), elsewhere));
  CHECK(says(mistake_of([&] { t.backward(sum(b)); }), elsewhere));
  CHECK(says(mistake_of([&] { t.backward(b, vector3{1, 10, 100}); }), elsewhere));
  CHECK(says(mistake_of([&] { u.rewind(here); }), elsewhere));
  t.backward(x * x + sum(a));  // nothing of it counts
  CHECK(t.grad(x) == 2);
  CHECK(says(mistake_of([&] { t.grad(y); }), elsewhere));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(b)); }), elsewhere));
}

TEST_CASE("variables are gone after a rewind to before them, and after a reset") {
  tape<double> t;
  auto const x = t.watch(1.0);
  auto const a = t.watch(vector3{1, 2, 3});
  auto const before = t.mark();
  var<double> const y = x * 2;
  var<double, 3> const b = a * 2.0;
  auto const expression = b * 3.0;
  auto const late = t.mark();
  t.rewind(before);
  auto const gone = [&](auto f) { CHECK(says(mistake_of(f), is_gone)); };
  gone([&] { static_cast<void>(var<double>(y + 1)); });
  gone([&] { t.backward(y); });
  gone([&] { t.grad(y); });
  gone([&] { static_cast<void>(sum(b)); });
  gone([&] { static_cast<void>(sum(expression)); });
  gone([&] { static_cast<void>(value(expression)); });
  gone([&] { static_cast<void>(b * y); });
  gone([&] { t.rewind(late); });
  // Others in their places do not bring them back.
  for (int i = 0; i < 10; ++i) static_cast<void>(t.watch(5.0)), static_cast<void>(t.watch(vector3{}));
  gone([&] { static_cast<void>(var<double>(y + 1)); });
  gone([&] { static_cast<void>(sum(b)); });
  gone([&] { static_cast<void>(t.apply([](auto v) { return sum(v); }, b)); });
  gone([&] { t.rewind(late); });
  // Those from before are what they were.
  t.backward(x * 4 + sum(square(a)));
  CHECK(t.grad(x) == 4);
  CHECK(t.grad(a) == vector3{2, 4, 6});
  t.reset();
  gone([&] { static_cast<void>(var<double>(x + 1)); });
  gone([&] { static_cast<void>(sum(a)); });
  gone([&] { t.rewind(before); });
  auto const again = t.watch(1.0);
  t.backward(again * 3);
  CHECK(t.grad(again) == 3);
  gone([&] { t.grad(x); });
  CHECK(says(mistake_of([&] { t.rewind({}), t.grad(again); }), is_gone));
}

TEST_CASE("gradients are gone after a rewind") {
  tape<double> t;
  auto const x = t.watch(1.0);
  auto const a = t.watch(vector3{1, 2, 3});
  auto const before = t.mark();
  t.backward(x * sum(a));
  CHECK(t.grad(x) == 6);
  t.rewind(before);
  CHECK(says(mistake_of([&] { t.grad(x); }), no_gradient));
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(a)); }), no_gradient));
  t.backward(x * sum(a) * 2);  // and one may go back again
  CHECK(t.grad(x) == 12);
}

TEST_CASE("positions rise through hundreds of rewinds: temporaries are gone, what was kept stays") {
  tape<double> t;
  auto const x = t.watch(1.0);
  auto const a = t.watch(vector3{1, 2, 3});
  std::vector<var<double>> kept, gone;
  std::vector<var<double, 3>> kept_vectors, gone_vectors;
  var<double> s = x;
  for (int i = 0; i < 300; ++i) {
    s = s + x;
    kept.push_back(s);
    kept_vectors.push_back(a * static_cast<double>(i));
    auto const here = t.mark();
    gone.push_back(s * 2);
    gone_vectors.push_back(kept_vectors.back() * 2.0);
    t.rewind(here);
  }
  for (std::size_t i = 0; i < 300; ++i) {
    CHECK(says(mistake_of([&] { static_cast<void>(var<double>(gone[i] * 2)); }), is_gone));
    CHECK(says(mistake_of([&] { static_cast<void>(sum(gone_vectors[i])); }), is_gone));
    CHECK(mistake_of([&] { static_cast<void>(var<double>(kept[i] * 2)); }) == "");
    CHECK(value(kept_vectors[i])[0] == static_cast<double>(i));
  }
  t.backward(kept[299] + sum(kept_vectors[299]));
  CHECK(t.grad(x) == 301);
  CHECK(t.grad(a) == vector3{299, 299, 299});
}

TEST_CASE("nested positions, two hundred deep, taken back from within") {
  tape<double> t;
  auto const x = t.watch(1.0);
  std::vector<tape<double>::position> marks;
  std::vector<var<double>> at{x};
  for (int i = 0; i < 200; ++i) {
    marks.push_back(t.mark());
    at.push_back(at.back() + x);
  }
  for (int i = 199; i >= 0; --i) {
    auto const k = static_cast<std::size_t>(i);
    t.rewind(marks[k]);
    if (i < 199) CHECK(says(mistake_of([&] { t.rewind(marks[k + 1]); }), is_gone));
    CHECK(says(mistake_of([&] { static_cast<void>(var<double>(at[k + 1] * 1)); }), is_gone));
    t.backward(at[k] * 2);
    CHECK(t.grad(x) == 2 * (i + 1));
    t.rewind(marks[k]);  // the same again
  }
}

TEST_CASE("a value that was moved into place after a position is read again after going back to it") {
  tape<double> t;
  tensor<double, 3, 4> a;
  for (std::size_t i = 0; i < 12; ++i) a[i] = static_cast<double>(i);
  var<double, 3, 4> const x = t.watch(a);
  var<double, 4, 3> const y = transpose(x);
  auto const here = t.mark();
  CHECK(value(y)(1, 2) == a(2, 1));
  static_cast<void>(t.apply([](auto v) { return sum(v); }, y));
  t.rewind(here);
  tensor<double, 3, 4> other;
  other.fill(100);
  for (int i = 0; i < 5; ++i) static_cast<void>(t.watch(other));
  CHECK(value(y)(1, 2) == a(2, 1));
  CHECK(t.backward(sum(y)) == 66);
}

TEST_CASE("the gradient of a result of apply is not kept; that of a scalar is") {
  tape<double> t;
  auto const x = t.watch(vector3{1, 2, 3});
  auto const y = t.apply([](auto v) { return v * 2.0; }, x);
  var<double> const s = t.apply([](auto v) { return sum(v); }, y);
  t.backward(s * s);
  CHECK(says(mistake_of([&] { static_cast<void>(t.grad(y)); }), "is not kept"));
  CHECK(t.grad(s) == 24);
  CHECK(t.grad(x) == vector3{48, 48, 48});
}

TEST_CASE("labels and indices are constants of a tape of either type, and are gone as other values are") {
  tape<float> t;
  tape<double> u;
  tensor<int, 4> const labels{2, 0, 1, 2};
  auto const a = t.watch(tensor<float, 3>{1, 10, 100});
  auto const b = u.watch(vector3{1, 10, 100});
  auto const here = t.mark();
  auto const i = t.constant(labels), j = u.constant(labels);
  CHECK(value(i) == labels);
  CHECK(t.backward(sum(square(gather<0>(a, i)))) == 20101);
  CHECK(t.grad(a) == tensor<float, 3>{2, 20, 400});
  CHECK(u.backward(sum(square(gather<0>(b, j)))) == 20101);
  CHECK(u.grad(b) == vector3{2, 20, 400});
  t.rewind(here);
  CHECK(says(mistake_of([&] { static_cast<void>(gather<0>(a, i)); }), is_gone));
}

TEST_CASE("several tapes at once, float and double, filled in turn") {
  tape<double> t, u;
  tape<float> w;
  auto const x = t.watch(2.0), y = u.watch(3.0);
  auto const z = w.watch(4.0f);
  auto const a = u.watch(vector3{1, 2, 3});
  var<double> p = x, q = y;
  var<float> r = z;
  for (int i = 0; i < 3; ++i) p *= x, q = q * y + sum(a), r *= z;
  CHECK(u.backward(q) == 81 + 6 * 13);
  CHECK(t.backward(p) == 16);
  CHECK(w.backward(r) == 256);
  CHECK(t.grad(x) == 32);
  CHECK(u.grad(y) == 4 * 27 + 6 * (2 * 3 + 1));
  CHECK(u.grad(a) == vector3{13, 13, 13});
  CHECK(w.grad(z) == 256);
}

TEST_CASE("bytes: reserved ahead, and the same from the second round on") {
  tape<double> t;
  CHECK(t.bytes() == 0);
  t.reserve(10'000'000);
  std::size_t const reserved = t.bytes();
  CHECK(reserved >= 10'000'000);
  t.reserve(100);
  CHECK(t.bytes() == reserved);
  std::size_t after_warm_up = 0;
  for (int round = 0; round < 5; ++round) {
    auto const x = t.watch(1.0);
    auto a = t.watch(filled<64, 64>(0.01));
    var<double> s = x;
    for (int i = 0; i < 300'000; ++i) s = s * 0.5 + x;
    var<double, 64, 64> b = a;
    for (int i = 0; i < 30; ++i) b = tanh(a * b);
    t.backward(s + sum(b));
    if (round == 0) after_warm_up = t.bytes();
    CHECK(t.bytes() == after_warm_up);
    t.reset();
  }
}

TEST_CASE("going back again and again through what is retained takes no more memory") {
  tape<double> t;
  auto const x = t.watch(1.0);
  var<double> s = x;
  for (int i = 0; i < 100'000; ++i) s = s * 1.0;
  t.backward(s, retain);
  std::size_t const bytes = t.bytes();
  for (int i = 0; i < 50; ++i) {
    t.backward(s, retain);
    CHECK(t.grad(x) == 1);
  }
  CHECK(t.bytes() == bytes);
}

TEST_CASE("a buffer that is full on the way back is a mistake as well, of whatever size it is") {
  int full = 0, whole = 0;
  for (std::size_t bytes = 4096; bytes < 40000; bytes += 1024) {
    std::vector<std::byte> buffer(bytes);
    tape<double> t{std::span(buffer)};
    for (int steps = 60; steps > 5; --steps) {  // once more with less, after whatever happened
      std::string const sentence = mistake_of([&] {
        auto const a = t.watch(filled<3, 3>(0.3));
        var<double, 3, 3> b = a;
        for (int i = 0; i < steps; ++i) b = a * b;
        t.backward(sum(b));
        // b is 0.3 (0.9)ⁿ throughout
        CHECK(t.grad(a)(1, 2) == doctest::Approx(0.3 * 9 * std::pow(0.9, steps) * (steps + 1) / 0.9 / 3));
        ++whole;
      });
      if (sentence != "") CHECK(says(sentence, is_full));
      full += sentence != "";
      t.reset();
    }
  }
  CHECK(full > 10);
  CHECK(whole > 10);
}

TEST_CASE("going back from what is recorded anew each time takes no more memory, with seeds, marks and tensors") {
  constexpr int n = 100'000;
  tape<double> t;
  auto const x = t.watch(1.0);
  auto const v = t.watch(filled<64>(0.5));
  var<double> s = x;
  for (int i = 0; i < n; ++i) s = s * 1.0;
  var<double, 64> const y = v * s;
  var<double> const loss = sum(y) + s;
  t.backward(loss, retain);
  t.backward(loss * 2, retain);
  std::size_t const bytes = t.bytes();
  for (int i = 0; i < 50; ++i) {
    tensor<double, 64> seed{};
    seed[static_cast<std::size_t>(i)] = 1;
    t.backward(y, seed, retain);
    CHECK(t.grad(x) == 0.5);
    t.backward(loss * static_cast<double>(i), retain);
    CHECK(t.grad(x) == 33 * i);
    CHECK(t.grad(v)[3] == i);
    auto const here = t.mark();
    auto const w = t.watch(filled<64>(0.25));
    t.backward(sum(cwise_product(y, w)), retain);
    CHECK(t.grad(w)[63] == 0.5);
    CHECK(t.grad(v)[63] == 0.25);
    t.rewind(here);
  }
  CHECK(t.bytes() < bytes + 50 * 20'000);  // what is recorded; the adjoints of all numbers take 800,000
  for (int i = 0; i < 2000; ++i) {
    auto const here = t.mark();
    t.backward(loss + s, retain);
    t.rewind(here);
    t.backward(loss, retain);
    CHECK(t.grad(x) == 33);
  }
  CHECK(t.bytes() < bytes + 50 * 20'000);
}

TEST_CASE("a tape in the user's buffer: full is a clear mistake, and what was recorded stays") {
  for (std::size_t const bytes : {256u, 1000u, 4096u, 65536u}) {
    for (std::size_t const offset : {0u, 1u, 40u}) {
      CAPTURE(bytes);
      std::vector<std::byte> buffer(bytes + offset + 64, std::byte{0x55});
      tape<double> t(std::span<std::byte>(buffer).subspan(offset, bytes));
      CHECK(t.bytes() <= bytes);
      auto const x = t.watch(2.0);
      var<double> y = x, last_but = x;
      int steps = 0;
      std::string const sentence = mistake_of([&] {
        for (;; ++steps) last_but = y, y = y * 1.0 + x;
      });
      CHECK(says(sentence, is_full));
      CHECK(value(y) == 2 + 2.0 * steps);                        // the last one that fitted
      CHECK(says(mistake_of([&] { t.backward(y); }), is_full));  // there is no room for adjoints either
      CHECK(says(mistake_of([&] { t.grad(x); }), no_gradient));
      t.reset();
      CHECK(says(mistake_of([&] { t.reserve(bytes + 1); }), is_full));
      // Half as many leave room.
      for (int round = 0; round < 3; ++round) {
        auto const u = t.watch(2.0);
        var<double> z = u;
        for (int i = 0; i < steps / 2; ++i) z = z * 1.0 + u;
        CHECK(t.backward(z) == 2 + 2.0 * (steps / 2));
        CHECK(t.grad(u) == 1 + steps / 2);
        t.reset();
      }
      for (std::size_t i = 0; i < buffer.size(); ++i)
        if (i < offset || i >= offset + bytes) CHECK(buffer[i] == std::byte{0x55});
    }
  }
  std::vector<std::byte> few(255);
  CHECK(says(mistake_of([&] { tape<double> const t{std::span(few)}; }), "at least 256 bytes"));
  CHECK(says(mistake_of([&] { tape<double> const t{std::span<std::byte>()}; }), "at least 256 bytes"));
}

TEST_CASE("a tape in the user's buffer that is full of tensors, there or on the way back, can be used on") {
  std::vector<std::byte> buffer(4096);
  tape<double> t{std::span(buffer)};
  auto const x = t.watch(filled<8>(0.5));
  auto const here = t.mark();
  for (int left = 0; left < 12; ++left) {  // so much room is left for the way back
    std::vector<var<double, 8>> all{x};
    CHECK(says(mistake_of([&] {
                 for (;;) all.push_back(tanh(all.back()));
               }),
               is_full));
    CHECK(value(all.back())[0] > 0);
    t.rewind(here);
    var<double, 8> y = x;
    for (std::size_t i = 1; i + static_cast<std::size_t>(left) < all.size(); ++i) y = tanh(y);
    std::string const sentence = mistake_of([&] { t.backward(sum(y * y(0))); });
    CHECK((sentence == "" || says(sentence, is_full)));
    t.rewind(here);
    for (int i = 0; i < 2; ++i) {
      var<double, 8> const z = tanh(x) * 0.0 + x * 3.0;
      CHECK(t.backward(sum(z)) == 12);
      CHECK(t.grad(x)[5] == 3);
      t.rewind(here);
    }
  }
}

TEST_CASE("a buffer that was full on the way back can be gone back in, and recorded in, without a rewind") {
  int full = 0;
  for (std::size_t bytes = 4096; bytes < 16384; bytes += 64) {
    std::vector<std::byte> buffer(bytes);
    tape<double> t{std::span(buffer)};
    auto const once = [&](auto f) {
      try {
        f();
        return true;
      } catch (exception const&) {
        return false;
      }
    };
    bool went_back = false;
    bool const recorded = once([&] {
      auto const a = t.watch(filled<8, 8>(1)), b = t.watch(filled<8, 8>(1));
      var<double> const loss = sum(cwise_product(a, b)) + sum(max(a, b));
      went_back = once([&] { t.backward(loss, retain); });
      auto const z = t.watch(filled<8, 8>(1));
      once([&] { t.backward(loss, retain); });
      for (double each : value(z)) CHECK(each == 1);
      for (double each : value(a)) CHECK(each == 1);
    });
    full += recorded && !went_back;
  }
  CHECK(full > 0);
}

TEST_CASE("a product added to an adjoint, masked before or not, and of one matrix with itself") {
  tape<double> t;
  tensor<double, 3, 3> const at{1, -2, 3, 0.5, 4, -1, 2, -3, 0.25};
  auto const x = t.watch(at);
  auto const loss = [](auto const& v) {
    return sum(square(v * v)) + sum(select(v > 0, log(v), 0.0)) + sum(v * transpose(v));
  };
  auto const truth = value_and_grad(loss)(at);
  for (int i = 0; i < 2; ++i) {
    CHECK(t.backward(loss(x), retain) == doctest::Approx(truth.value).epsilon(1e-14));
    for (std::size_t k = 0; k < 9; ++k) CHECK(t.grad(x)[k] == doctest::Approx(truth.grad[k]).epsilon(1e-13));
  }
  // The mask arrives first, then the product.
  var<double, 3, 3> const product = x * x;
  auto const late = sum(select(x > 0, sqrt(x), 0.0)) + sum(product);
  auto const expected = value_and_grad([](auto v) { return sum(v * v) + sum(select(v > 0, sqrt(v), 0.0)); })(at);
  t.backward(late);
  for (std::size_t k = 0; k < 9; ++k) CHECK(t.grad(x)[k] == doctest::Approx(expected.grad[k]).epsilon(1e-13));
}

TEST_CASE("masks around a checkpoint take no more memory each time") {
  tape<double> t;
  auto const x = t.watch(filled<64>(0.5));
  auto const y = t.checkpoint([](auto const& v) { return select(v > 0, square(v), 0.0); }, x);
  var<double> const loss = sum(select(y > 0, sqrt(y), 0.0)) + sum(select(x > 0, x, 0.0));
  for (int i = 0; i < 3; ++i) t.backward(loss, retain);
  std::size_t const before = t.bytes();
  for (int i = 0; i < 5000; ++i) t.backward(loss, retain);
  CHECK(t.bytes() == before);
  for (double each : t.grad(x)) CHECK(each == doctest::Approx(2.0));
}
