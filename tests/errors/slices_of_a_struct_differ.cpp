// expect: nothing to go through
// expect: series<etch::
// lines: 20
#include <etch/etch.hpp>

template <class T>
struct series {
  etch::param<T, 3, 5> x;
#ifdef MISTAKE
  etch::param<T, 4> weight;
#else
  etch::param<T, 5> weight;
#endif
  ETCH_MEMBERS(series, x, weight)
};

int main() {
  series<float> data{};
  auto loss = [](auto xs) {
    auto weigh = [](auto total, auto slice) { return total + slice.x * slice.weight; };
    return etch::sum(etch::scan(weigh, etch::zeros<3>(), xs));  // here
  };
  auto step = etch::compile(loss, data);
  return static_cast<int>(step(data));
}
