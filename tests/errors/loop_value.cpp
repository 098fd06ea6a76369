// expect: a value of this type does not go through a loop
// expect: std::optional
// lines: 20
#include <etch/etch.hpp>

#include <optional>

int main() {
#ifdef MISTAKE
  auto loss = [](auto a) { return *etch::repeat<3>([](auto x) { return std::optional{sin(*x)}; }, std::optional{a}); };  // here
#else
  auto loss = [](auto a) { return etch::repeat<3>([](auto x) { return sin(x); }, a); };
#endif
  auto step = etch::compile(loss, 2.0);
  return static_cast<int>(step(2.0));
}
