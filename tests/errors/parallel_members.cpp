// expect: parallel takes a program that compile<wrt<...>> has returned
// expect: "w"
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

template <class T>
struct line {
  etch::param<T, 3> w;
  etch::param<T> b;
  ETCH_MEMBERS(line, w, b)
};

int main() {
  line<double> model;
  etch::tensor<double, 3, 8> x;
  auto loss = [](auto model, auto x) { return sum(square(transpose(model.w) * x + model.b)); };
#ifdef MISTAKE
  auto step = etch::parallel<2>(etch::compile<etch::wrt_members<0, "w">>(loss, model, x));  // here
#else
  auto step = etch::parallel<2>(etch::compile<etch::wrt<0>>(loss, model, x));
#endif
  return static_cast<int>(step(model, x));
}
