#include <etch/io/safetensors.hpp>

#include "files.hpp"

namespace {

using namespace files;
using io::from_safetensors;
using io::to_safetensors;

constexpr auto load = [](byte_view bytes, auto& model) { from_safetensors(bytes, model); };

using small = layer<float>;
constexpr char const* good =
    R"({"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}})";
/// A file with this header and 32 bytes of entries.
byte_string file(std::string const& header, std::size_t entries = 32) {
  byte_string bytes;
  io::append(bytes, std::uint64_t{header.size()});
  io::append(bytes, header);
  for (std::size_t i = 0; i < entries; ++i) bytes.push_back(static_cast<std::byte>(i));
  return bytes;
}
void refused(std::string const& header, std::string const& words) { check_refused<small>(file(header), load, words); }

}  // namespace

TEST_CASE("safetensors: the file is what the format says, entry (i, j) at [i, j]") {
  small m{};
  m.weight = tensor<float, 2, 3>{1, 4, 2, 5, 3, 6};
  m.bias = tensor<float, 2>{7, 8};
  std::string header = std::string(R"({"__metadata__":{"etch.program":"00000000000000ff"},)") + (good + 1);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  byte_string expected;
  io::append(expected, std::uint64_t{header.size()});
  io::append(expected, header);
  for (float x = 1; x <= 8; ++x) io::append(expected, std::bit_cast<std::uint32_t>(x));
  CHECK(text_of(to_safetensors(m, 255)) == text_of(expected));
}

TEST_CASE("safetensors: models of every kind and scalars of every type come back") {
  auto const check = []<class A>(std::type_identity<A>) {
    A const x = filled<A>(2);
    A y = filled<A>(3);
    REQUIRE(memory_of(x) != memory_of(y));
    byte_string const bytes = to_safetensors(x);
    from_safetensors(bytes, y);
    CHECK(memory_of(x) == memory_of(y));
    CHECK(bytes.size() % 8 == memory_of(x).size() % 8);
  };
  check(std::type_identity<mixed>{});
  check(std::type_identity<float>{});
  check(std::type_identity<Eigen::Matrix<double, 3, 2, Eigen::RowMajor>>{});
  [&]<class... T>(std::type_identity<std::tuple<T...>>) {
    (check(std::type_identity<
           std::tuple<T, tensor<T>, tensor<T, 5>, tensor<T, 2, 3>, tensor<T, 3, 1, 2>, tensor<T, 2, 3, 2, 2>>>{}),
     ...);
  }(std::type_identity<std::tuple<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                  std::uint32_t, std::int64_t, std::uint64_t, float, double>>{});
  nothing none;
  from_safetensors(to_safetensors(none), none);
}

TEST_CASE(
    "safetensors: a file cut anywhere, longer, or with any bit of its header turned is refused, or holds the same") {
  small const m = filled<small>(4);
  byte_string const bytes = to_safetensors(m, 0x123456789abcdef0);
  check_damage<small>(bytes, bytes.size() - 32, load);
  // With a hash that must agree, hardly a bit may differ: letters of other keys of metadata, and spaces.
  auto const strictly = [](byte_view b, small& x) { from_safetensors(b, x, 0x123456789abcdef0); };
  CHECK(check_damage<small>(bytes, bytes.size() - 32, strictly) > static_cast<int>(bytes.size() - 40) * 8);
}

TEST_CASE("safetensors: tensors and keys in any order, with metadata and spaces") {
  small x{};
  from_safetensors(file(R"({ "bias" : {"data_offsets":[0,8],"shape":[2],"dtype":"F32"},
    "__metadata__":{"format":"pt","note":"\u00e9 [{\""}, "weight":{"shape":[2,3],"dtype":"F32","data_offsets":[8,32]} }   )"),
                   x);
  CHECK(std::bit_cast<std::uint32_t>(x.weight(0, 0)) == 0x0b0a0908);
  CHECK(std::bit_cast<std::uint32_t>(x.bias(0)) == 0x03020100);
  CHECK(std::bit_cast<std::uint32_t>(x.weight(0, 1)) == 0x0f0e0d0c);
}

TEST_CASE("safetensors: headers that say something else") {
  small fine{};
  from_safetensors(file(good), fine);
  refused(with(good, "F32", "F64"), "tensor 'weight' has the type 'F64', not 'F32'");
  refused(with(good, "F32", "BF16"), "tensor 'weight' has the type 'BF16', not 'F32'");
  refused(with(good, "[2,3]", "[3,2]"), "tensor 'weight' has the shape [3, 2], not [2, 3]");
  refused(with(good, "[2,3]", "[6]"), "tensor 'weight' has the shape [6], not [2, 3]");
  refused(with(good, "[2,3]", "[]"), "tensor 'weight' has the shape [], not [2, 3]");
  refused(with(good, "[2,3]", "[2,3,1,1,1]"), "shape has more than 4 numbers");
  refused(with(good, "[2,3]", "[2,[3]]"), "an array in a wrong place");
  refused(with(good, "[2,3]", "[2,{}]"), "an object in a wrong place");
  refused(with(good, "[2,3]", "[2,-3]"), "a negative number in a wrong place");
  refused(with(good, "[2,3]", "[2,3.0]"), "a fraction");
  refused(with(good, "[2,3]", "[2,18446744073709551619]"), "beyond 64 bits");
  refused(with(good, "[2,3]", "[2,\"3\"]"), "a string in a wrong place");
  refused(with(good, "[2,3]", "6"), "a number in a wrong place");
  refused(with(good, "[2,3]", "null"), "null in a wrong place");
  refused(with(good, "\"F32\"", "[\"F32\"]"), "an array in a wrong place");
  refused(with(good, "\"F32\"", "true"), "a boolean in a wrong place");
  refused(with(good, "\"dtype\":\"F32\",", ""), "tensor 'weight' lacks dtype, shape or data_offsets");
  refused(with(good, "\"dtype\":\"F32\",", "\"dtype\":\"F32\",\"dtype\":\"F32\","),
          "tensor 'weight' has the key 'dtype' twice");
  refused(with(good, "\"dtype\"", "\"type\""), "tensor 'weight' has the unknown key 'type'");
  refused(with(good, "\"bias\"", "\"weight\""), "there are two tensors 'weight'");
  refused(with(good, "\"bias\"", "\"../bias\""), "the model has no member '../bias'");
  refused(with(good, "\"bias\"", "\"bi\\u0000as\""), "the model has no member 'bi?as'");
  refused(R"({"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", "the header has no tensor 'bias'");
  refused(with(good, "\"bias\":{", "\"bias\":[{"), "an array in a wrong place");
  refused(with(good, "{\"weight\"", "{\"weight\":3,\"weight\""), "a number in a wrong place");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":{},\"__metadata__\":{},\"weight\""), "'__metadata__' twice");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":{\"a\":\"1\",\"a\":\"1\"},\"weight\""),
          "the metadata has the key 'a' twice");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":{\"a\":1},\"weight\""), "a number in a wrong place");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":{\"a\":{}},\"weight\""), "an object in a wrong place");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":\"a\",\"weight\""), "a string in a wrong place");
  refused(with(good, "{\"weight\"", "{\"__metadata__\":{\"etch.program\":\"12\"},\"weight\""),
          "etch.program is '12', not 16 hexadecimal digits");
  refused(std::string(good) + "}", "the header is no JSON");
  refused(std::string(good) + std::string(3, '\0'), "the header is no JSON");
  refused(with(good, "[2,3]", "[2,3"), "a string in a wrong place");
  refused(with(good, "[24,32]}", "[24,32]"), "the header is no JSON");
  refused("{\"\xff\":1}", "the header is no JSON");
  refused(std::string(" ") + good, "at byte 8: the header does not begin with {");
  refused("[]", "does not begin with {");
  refused("", "does not begin with {");
  refused("{}", "the header has no tensor 'weight'");
}

TEST_CASE("safetensors: nesting is refused at the third level, however deep it goes") {
  std::string objects, arrays = with(good, "[2,3]", std::string(60000, '['));
  for (int i = 0; i < 10000; ++i) objects += "{\"a\":";
  refused(objects, "the model has no member 'a'");
  refused("{\"weight\":" + objects, "");
  refused(arrays, "an array in a wrong place");
}

TEST_CASE("safetensors: entries cover the file once, without gaps") {
  auto const ranges = [](std::string const& weight, std::string const& bias) {
    return with(with(good, "[0,24]", weight), "[24,32]", bias);
  };
  refused(ranges("[0,24]", "[16,24]"), "tensor 'bias' does not begin where the one before it ends");
  refused(ranges("[0,24]", "[0,8]"), "does not begin where the one before it ends");
  refused(ranges("[4,28]", "[24,32]"), "tensor 'weight' does not begin where the one before it ends");
  refused(ranges("[0,20]", "[24,32]"), "tensor 'weight' lies from 0 to 20 of 32 bytes, but has 24");
  refused(ranges("[24,0]", "[24,32]"), "tensor 'weight' lies from 24 to 0 of 32 bytes");
  refused(ranges("[18446744073709551600,8]", "[24,32]"), "lies from 18446744073709551600 to 8");
  refused(ranges("[0,24]", "[32,40]"), "tensor 'bias' lies from 32 to 40 of 32 bytes");
  refused(ranges("[0]", "[24,32]"), "data_offsets are not two numbers");
  refused(ranges("[0,24,24]", "[24,32]"), "data_offsets are not two numbers");
  check_refused<small>(file(good, 33), load, "the file goes on after its last tensor");
  check_refused<small>(file(good, 31), load, "tensor 'bias' lies from 24 to 32 of 31 bytes");
}

TEST_CASE("safetensors: claims of length are checked before they are believed") {
  byte_string bytes = file(good);
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = std::byte{0xff};
  check_refused<small>(bytes, load,
                       "at byte 0: the header has 18446744073709551615 bytes; for this model it may have ");
  check_refused<small>(file("{" + std::string(1 << 20, ' ')), load, "the header has 1048577 bytes");
  check_refused<small>(bytes_of_text("1234567"), load, "at byte 7: the file ends inside the length of the header");
}

TEST_CASE("safetensors: a boolean that is neither 0 nor 1 is refused where it stands") {
  byte_string bytes = to_safetensors(tensor<bool, 3>{true, false, true});
  bytes[bytes.size() - 2] = std::byte{2};
  check_refused<tensor<bool, 3>>(bytes, load, "at byte " + std::to_string(bytes.size() - 2) + ": a boolean is 2");
}

TEST_CASE("safetensors: the program's hash is compared when it is given") {
  small const m = filled<small>(5);
  auto const with_hash = [](byte_view bytes, small& model) { from_safetensors(bytes, model, 0xabc); };
  small x{};
  from_safetensors(to_safetensors(m, 0xabc), x, 0xabc);
  CHECK(memory_of(x) == memory_of(m));
  from_safetensors(to_safetensors(m, 0xdef), x);
  check_refused<small>(to_safetensors(m, 0xdef), with_hash,
                       "the file is of program 0000000000000def, not of 0000000000000abc");
  check_refused<small>(to_safetensors(m), with_hash,
                       "the file does not say of which program it is; 0000000000000abc is expected");
}

TEST_CASE("safetensors: files are saved and loaded") {
  folder const here;
  mixed const m = filled<mixed>(6);
  io::save_safetensors(here / "m.safetensors", m, 7);
  mixed x{};
  io::load_safetensors(here / "m.safetensors", x, 7);
  CHECK(memory_of(x) == memory_of(m));
  CHECK(refusal([&] {
          io::load_safetensors(here / "m.safetensors", x, 8);
        }).starts_with("etch: " + (here / "m.safetensors") + ": at byte "));
  write(here / "long", byte_string(std::size_t{1} << 20));
  CHECK(has(refusal([&] { io::load_safetensors(here / "long", x); }), "the file goes on, although it may have "));
}
