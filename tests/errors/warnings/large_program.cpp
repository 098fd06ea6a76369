// expect: etch: a program of more than 1 MiB as a local variable may not fit the stack
// expect: needed<
#include <etch/compile/wrt_members.hpp>
#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/op/table.hpp>

#include <memory>

template <class T>
struct layer {
  etch::param<T, 64, 8192> weight;
  ETCH_MEMBERS(layer, weight)
};
constexpr auto loss = [](auto model, auto x) { return sum(square(tanh(model.weight)) * x); };
using whole = etch::wrt<0>;
using part = etch::wrt_members<0, "weight">;

// In static storage, whatever the arguments are.
constinit auto global = etch::compile<whole>(loss, layer<float>{}, 1.0f);
float with_global(layer<float> const& model, float x) { return global(model, x); }

float in_function(layer<float> const& model, float const& x) {
  auto& step = etch::compile<whole, etch::in_static_storage>(loss, model, x);
  auto& of_part = etch::compile<part, etch::in_static_storage>(loss, model, x);
  return step(model, x) + of_part(model, x);
}
float in_static(layer<float> const& model) {
  float y = 2;
  static layer<float> like;
  static auto step = etch::compile<whole>(loss, like, y);  // the types alone are looked at
  static auto of_part = etch::compile<part>(loss, like, y);
  static constinit decltype(etch::compile(loss, model, y)) declared;
  return step(model, y) + of_part(model, y) + declared(model, y);
}

// On the heap, or a member of what is elsewhere.
float on_heap(layer<float> const& model, float x) {
  auto const step = std::make_unique<decltype(etch::compile<whole>(loss, model, x))>();
  return (*step)(model, x);
}
struct learner {
  decltype(etch::compile<whole>(loss, layer<float>{}, 1.0f)) step;
};

// Small programs may be anywhere.
float small(float x) {
  auto step = etch::compile([](auto a) { return a * a; }, x);
  return step(x) + etch::grad([](auto a) { return a * a; })(x);
}

#ifdef MISTAKE
float local(layer<float> const& model, float x) {
  auto step = etch::compile<whole>(loss, model, x);  // here
  return step(model, x);
}
#endif
