// A gradient, and with the option `files` a tensor that is written and read.
#include <etch/etch.hpp>

#if defined(WITH_FILES)
#include <etch/io/npz.hpp>
#include <etch/io/safetensors.hpp>
#endif

#include <cstdio>

int main() {
  auto const [value, slope] = etch::value_and_grad([](auto x) { return x * sin(x); })(2.0);
  std::printf("etch %d.%d.%d: %.6f, slope %.6f\n", etch::version.major, etch::version.minor, etch::version.patch, value, slope);
#if defined(WITH_FILES)
  etch::tensor<double, 2> const written{value, slope};
  etch::tensor<double, 2> read;
  etch::io::save_npz("etch.npz", written);
  etch::io::load_npz("etch.npz", read);
  bool right = read(0) == value && read(1) == slope;
  etch::io::save_safetensors("etch.safetensors", read);
  etch::io::load_safetensors("etch.safetensors", read);
  right = right && read(0) == value && read(1) == slope;
  std::printf("files: %s\n", right ? "the same" : "not the same");
  return right ? 0 : 1;
#endif
}
