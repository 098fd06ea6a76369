// Linking is passing: every other unit holds one header. This one and that of etch.hpp hold them all.
#include <etch/etch.hpp>

#include <cstdio>

int main(int, char** argv) {
  std::printf("%s passed, 0 failed\n", argv[1]);
  return etch::grad([](auto x) { return x * x; })(3.0) == 6 ? 0 : 1;
}
