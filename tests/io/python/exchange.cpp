// Writes files for Python to read, and reads those that Python wrote: usage exchange write|read FOLDER.
// Every entry says where it stands.
#include <etch/io/csv.hpp>
#include <etch/io/npz.hpp>
#include <etch/io/safetensors.hpp>

#include <cstdio>
#include <string_view>

namespace {

using namespace etch;

constexpr std::uint64_t program = 0x0123456789abcdef;

template <class T>
struct layer {
  param<T, 2, 3> weight;
  param<T, 2> bias;
  ETCH_MEMBERS(layer, weight, bias)
};
struct model {
  std::array<layer<float>, 2> layers;
  tensor<double, 2, 3, 2, 2> image;
  tensor<int, 3, 2> words;
  std::tuple<double, tensor<bool, 5>> others;
  Eigen::Matrix<float, 2, 3, Eigen::RowMajor> rows;
  ETCH_MEMBERS(model, layers, image, words, others, rows)
};

/// Calls `f(entry, its number)` for each entry of a tensor: index i along the first axis counts
/// 1, along the second 10, and so on.
template <class T, int... Dims>
void for_each_entry(tensor<T, Dims...>& x, auto f) {
  constexpr shape s = make_shape(Dims...);
  for (int d = 0; d < s[3]; ++d)
    for (int c = 0; c < s[2]; ++c)
      for (int b = 0; b < s[1]; ++b)
        for (int a = 0; a < s[0]; ++a) {
          int const number = a + 10 * b + 100 * c + 1000 * d;
          if constexpr (s.rank == 0) f(x.data()[0], number);
          else if constexpr (s.rank == 1) f(x(a), number);
          else if constexpr (s.rank == 2) f(x(a, b), number);
          else if constexpr (s.rank == 3) f(x(a, b, c), number);
          else f(x(a, b, c, d), number);
        }
}
void for_each_entry(double& x, auto f) { f(x, 0); }
void for_each_entry(Eigen::Matrix<float, 2, 3, Eigen::RowMajor>& x, auto f) {
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b) f(x(a, b), a + 10 * b);
}

/// Entry `number` of leaf `leaf`.
template <class T>
T entry(int leaf, int number) {
  if constexpr (std::is_same_v<T, bool>) return (leaf + number) % 3 == 0;
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(leaf) + static_cast<T>(number) / 8;
  else return static_cast<T>(leaf + number);
}

void for_each_leaf(model& m, auto f) {
  f(m.layers[0].weight, 1), f(m.layers[0].bias, 2), f(m.layers[1].weight, 3), f(m.layers[1].bias, 4);
  f(m.image, 5), f(m.words, 6), f(std::get<0>(m.others), 7), f(std::get<1>(m.others), 8), f(m.rows, 9);
}

void set(auto& x, int leaf) {
  for_each_entry(x, [&]<class T>(T& e, int number) { e = entry<T>(leaf, number); });
}
bool is_set(auto& x, int leaf) {
  bool right = true;
  for_each_entry(x, [&]<class T>(T& e, int number) { right = right && e == entry<T>(leaf, number); });
  return right;
}

int passed = 0, failed = 0;
void check(std::string const& what, bool fact) {
  ++(fact ? passed : failed);
  if (!fact) std::printf("%s came back differently\n", what.c_str());
}

/// Calls `f(name, tensor)` for tensors of every type and rank.
void for_each_tensor(auto f) {
  auto const ranks = [&]<class T>(T, std::string const& type) {
    static tensor<T> zero;
    static tensor<T, 3> one;
    static tensor<T, 2, 3> two;
    static tensor<T, 2, 3, 2> three;
    static tensor<T, 2, 3, 2, 2> four;
    f(type + "_0", zero), f(type + "_1", one), f(type + "_2", two), f(type + "_3", three), f(type + "_4", four);
  };
  ranks(false, "bool"), ranks(std::int8_t{}, "int8"), ranks(std::uint8_t{}, "uint8"), ranks(std::int16_t{}, "int16");
  ranks(std::uint16_t{}, "uint16"), ranks(std::int32_t{}, "int32"), ranks(std::uint32_t{}, "uint32"),
      ranks(std::int64_t{}, "int64");
  ranks(std::uint64_t{}, "uint64"), ranks(0.0f, "float32"), ranks(0.0, "float64");
}

void write(std::string const& folder) {
  for_each_tensor([&](std::string const& name, auto& x) { set(x, 1), io::save_npy(folder + name + ".npy", x); });
  static model m;
  for_each_leaf(m, [](auto& leaf, int number) { set(leaf, number); });
  io::save_npz(folder + "model.npz", m, program);
  io::save_safetensors(folder + "model.safetensors", m, program);
  io::write_csv(folder + "table.csv", m.layers[0].weight, {"up", "down"});
}

void read(std::string const& folder) {
  for (char const* order : {"c_", "f_"})
    for_each_tensor([&](std::string const& name, auto& x) {
      x.fill({});
      io::load_npy(folder + order + name + ".npy", x);
      check(order + name, is_set(x, 1));
    });
  auto const check_model = [&](std::string const& file, auto load) {
    static model m;
    m = model{};
    load(folder + file, m);
    for_each_leaf(
        m, [&](auto& leaf, int number) { check(file + ", leaf " + std::to_string(number), is_set(leaf, number)); });
  };
  for (char const* kind : {"c_plain", "f_plain", "c_compressed", "f_compressed"})
    check_model(std::string(kind) + ".npz", [](std::string const& file, model& m) { io::load_npz(file, m, program); });
  for (char const* kind : {"own", "library"})
    if (std::filesystem::exists(folder + kind + ".safetensors"))
      check_model(std::string(kind) + ".safetensors",
                  [](std::string const& file, model& m) { io::load_safetensors(file, m, program); });
  tensor<float, 2, 3> table;
  io::read_csv(folder + "table.csv", table);
  check("table.csv", is_set(table, 1));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::string const folder = arguments[2] + std::string("/");
  if (std::string_view(arguments[1]) == "write") return write(folder), 0;
  read(folder);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
