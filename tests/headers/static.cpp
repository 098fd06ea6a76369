// A unit of `etch/static.hpp` alone: programs, transformations and loops.
#include <etch/static.hpp>

#include <cstdio>

namespace {

template <class T>
struct line {
  etch::param<T, 2, 2> slope;
  T offset;
  ETCH_MEMBERS(line, slope, offset)
};

constexpr auto loss = [](auto model, auto x) {
  return squared_norm(model.slope * x) + model.offset * sum(etch::sum_map([](auto p) { return sin(p); }, x));
};
constexpr auto recurrent = [](auto w, auto xs) {
  return sum(
      etch::scan([&](auto const& h,
                     auto const& x) { return etch::checkpoint([](auto a, auto b) { return tanh(a * b); })(w, h + x); },
                 etch::zeros<2>(), xs));
};
constexpr auto slope = [](auto x, auto v) { return std::get<1>(etch::jvp([](auto y) { return y * y * y; })(x, v)); };

}  // namespace

int main() {
  etch::tensor<double, 2, 2> const w{0.5, 0.25, -0.25, 0.5};
  etch::tensor<double, 2, 8> xs;
  xs.fill(0.25);
  line<double> const model{w, 2};
  auto step = etch::compile<etch::wrt<0>>(loss, model, xs);
  auto loop = etch::compile<etch::wrt<0, 1>, etch::check_finite>(recurrent, w, xs);
  auto part = etch::compile<etch::wrt_members<0, "offset">>(loss, model, xs);
  double const value = step(model, xs);
  bool right = value == part(model, xs) && step.grad<0>().offset == part.grad<"offset">();
  right = right && loop(w, xs) != 0 && loop.status() == etch::status::ok;
  right = right && etch::value_and_grad(slope)(2.0, 1.0).grad == 12;
  static_assert(etch::grad([](auto x) { return x * x; })(3.0) == 6);
  std::puts(right ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return right ? 0 : 1;
}
