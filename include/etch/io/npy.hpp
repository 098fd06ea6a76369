// save_npy, load_npy: one tensor or number in numpy's format (numpy.lib.format, versions 1.0 to 3.0).
#pragma once

#include <etch/io/leaves.hpp>

#include <algorithm>
#include <charconv>

ETCH_NAMESPACE_BEGIN
namespace io {

namespace detail {

/// numpy.load refuses longer headers too.
inline constexpr std::size_t longest_npy_header = 10000;
/// Magic string, version and length, at most.
inline constexpr std::size_t npy_preamble = 12;

/// numpy's name of an element type: `<f4`.
inline std::string npy_type(element e) {
  int const bytes = bytes_of(e);
  char const kind = e == element::boolean ? 'b' : is_floating(e) ? 'f' : name_of(e)[0];
  return std::string(bytes == 1 ? "|" : "<") + kind + std::to_string(bytes);
}

/// Extents as Python writes a tuple: `()`, `(3,)`, `(3, 4)`.
inline std::string python_tuple(auto const& extent, int rank) {
  std::string text = "(";
  for (int axis = 0; axis < rank; ++axis)
    text += (axis > 0 ? ", " : "") + std::to_string(extent[static_cast<std::size_t>(axis)]);
  return text + (rank == 1 ? ",)" : ")");
}

/// All of a file before its entries. They are written as they lie in memory.
inline byte_string npy_header(leaf const& l) {
  bool const first_index_fastest = same_layout({0, l.step}, {0, contiguous_strides(l.extent)}, l.extent);
  std::string text = "{'descr': '" + npy_type(l.type) +
                     "', 'fortran_order': " + (first_index_fastest ? "True" : "False") +
                     ", 'shape': " + python_tuple(l.extent.extent, l.extent.rank) + ", }";
  text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 11, ' ');  // so that entries begin at a multiple of 64
  text += '\n';
  byte_string header;
  append(header, std::string("\x93NUMPY\x01", 7) + '\0');
  append(header, static_cast<std::uint16_t>(text.size()));
  append(header, text);
  return header;
}

/// Reads the header of an .npy file, a Python dictionary of three known keys.
class npy_dictionary {
 public:
  bool fortran_order = false;
  std::string type;
  std::array<std::uint64_t, max_rank> extent{};
  int rank = 0;

  npy_dictionary(section const& s, std::size_t begin, std::size_t end) : s_(s), at_(begin), end_(end) {
    bool seen[3] = {};
    constexpr char const* keys[] = {"descr", "fortran_order", "shape"};
    expect('{');
    while (!follows('}')) {
      std::size_t const where = at_;
      std::string const key = string();
      auto const which = static_cast<std::size_t>(std::find(keys, keys + 3, key) - keys);
      if (which == 3) s_.refuse(where, "the header has the unknown key " + in_quotes(key));
      if (seen[which]) s_.refuse(where, "the header has the key " + in_quotes(key) + " twice");
      seen[which] = true;
      expect(':');
      if (which == 0) type = string();
      else if (which == 1) fortran_order = boolean();
      else tuple();
      if (!follows(',')) {
        expect('}');
        break;
      }
    }
    for (std::size_t i = 0; i < 3; ++i)
      if (!seen[i]) s_.refuse(begin, std::string("the header lacks the key '") + keys[i] + "'");
    while (at_ < end_ && (peek() == ' ' || peek() == '\n')) ++at_;
    if (at_ != end_ || s_.bytes[end_ - 1] != std::byte{'\n'})
      s_.refuse(at_, "the header does not end in spaces and a new line");
  }

 private:
  section const& s_;
  std::size_t at_, end_;

  char peek() const { return at_ < end_ ? static_cast<char>(s_.bytes[at_]) : '\0'; }
  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }
  bool follows(char c) {
    skip_spaces();
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!follows(c))
      s_.refuse(at_, std::string("the header is no dictionary as numpy writes it: '") + c + "' is missing");
  }
  std::string string() {
    skip_spaces();
    char const quote = peek();
    if (quote != '\'' && quote != '"') s_.refuse(at_, "the header has something else where a string belongs");
    std::size_t const begin = ++at_;
    while (at_ < end_ && peek() != quote && peek() != '\\') ++at_;
    if (peek() != quote) s_.refuse(at_, "the header has a string without an end");
    return s_.text(begin, at_++ - begin);
  }
  bool boolean() {
    skip_spaces();
    for (bool value : {true, false}) {
      std::string const word = value ? "True" : "False";
      if (end_ - at_ >= word.size() && s_.text(at_, word.size()) == word) return at_ += word.size(), value;
    }
    s_.refuse(at_, "the header has something else where True or False belongs");
  }
  void tuple() {
    expect('(');
    bool comma = true;
    while (!follows(')')) {
      if (!comma) expect(',');
      if (rank == max_rank) s_.refuse(at_, "the shape has more than " + std::to_string(max_rank) + " axes");
      auto const* const text = reinterpret_cast<char const*>(s_.bytes.data());
      auto const [stop, error] = std::from_chars(text + at_, text + end_, extent[static_cast<std::size_t>(rank)]);
      if (error != std::errc{} ||
          (peek() == '0' && stop - text > static_cast<std::ptrdiff_t>(at_) + 1))  // Python knows no 03
        s_.refuse(at_, "the shape is no tuple of numbers");
      at_ = static_cast<std::size_t>(stop - text);
      ++rank;
      comma = follows(',');
    }
    if (rank == 1 && !comma) s_.refuse(at_, "the shape is no tuple");
  }
};

/// All of an .npy file before its entries, which begin at byte `entries`.
struct npy_preface {
  std::size_t begin, entries;
  npy_dictionary header;
};
inline npy_preface read_npy_preface(section const& s) {
  if (s.size() < 10) s.refuse(s.size(), "the file ends inside the magic string, version and length of the header");
  if (s.text(0, 6) != "\x93NUMPY") s.refuse(0, "the file does not begin with \\x93NUMPY");
  int const major = s.number<std::uint8_t>(6), minor = s.number<std::uint8_t>(7);
  if (major < 1 || major > 3 || minor != 0)
    s.refuse(6, "the version is " + std::to_string(major) + "." + std::to_string(minor) + ", not 1.0, 2.0 or 3.0");
  std::size_t const begin = major == 1 ? 10 : npy_preamble;
  if (s.size() < begin) s.refuse(s.size(), "the file ends inside the length of the header");
  std::size_t const length = major == 1 ? s.number<std::uint16_t>(8) : s.number<std::uint32_t>(8);
  if (length == 0 || length > longest_npy_header)
    s.refuse(8, "the header has " + std::to_string(length) + " bytes; it may have 1 to " +
                    std::to_string(longest_npy_header));
  if (!s.holds(begin, length)) s.refuse(s.size(), "the file ends inside the header");
  return {begin, begin + length, npy_dictionary(s, begin, begin + length)};
}

/// The place of the entries of leaf `l` in an .npy file. Throws where the file is not exactly that.
inline stored_leaf find_npy(section const& s, leaf const& l) {
  auto const [begin, entries, header] = read_npy_preface(s);
  if (header.type != npy_type(l.type))
    s.refuse(begin, "the type is " + in_quotes(header.type) + ", not '" + npy_type(l.type) + "'");
  bool same = header.rank == l.extent.rank;
  for (int axis = 0; same && axis < header.rank; ++axis)
    same = header.extent[static_cast<std::size_t>(axis)] == static_cast<std::uint64_t>(l.extent[axis]);
  if (!same)
    s.refuse(begin, "the shape is " + python_tuple(header.extent, header.rank) + ", not " +
                        python_tuple(l.extent.extent, l.extent.rank));
  if (!s.holds(entries, l.bytes()))
    s.refuse(s.size(), "the file ends inside the entries, " + std::to_string(entries + l.bytes() - s.size()) +
                           " bytes too early");
  if (s.size() != entries + l.bytes()) s.refuse(entries + l.bytes(), "the file goes on after its last entry");
  refuse_strange_booleans(s, entries, l);
  return {s.bytes.subspan(entries, l.bytes()),
          header.fortran_order ? contiguous_strides(l.extent) : last_index_fastest(l.extent)};
}

template <class A>
leaf single_leaf() {
  static_assert(
      !reflected<A> && !requires { std::tuple_size<A>::value; } && !std::is_empty_v<A>,
      "etch: an .npy file holds one tensor or one number; a struct with members is saved as .npz");
  return leaves_in<A>().front();
}

}  // namespace detail

/// A tensor, fixed-size Eigen matrix or number as the bytes of an .npy file of version 1.0. Entry (i, j) is [i, j] in
/// numpy; entries are written as they lie in memory, which numpy calls Fortran's order.
template <class A>
byte_string to_npy(A const& x) {
  std::vector<leaf> const leaves{detail::single_leaf<A>()};
  byte_string bytes = detail::npy_header(leaves[0]);
  for_each_stored_leaf(x, leaves,
                       [&](leaf const& l, std::byte const* from) { append(bytes, byte_view(from, l.bytes())); });
  return bytes;
}

/// Reads what `to_npy` or numpy.save made, in C's or Fortran's order; type and shape must be those of `x`. Throws
/// `etch::exception`, which calls the bytes `name`, where they are anything else; `x` is then as it was.
template <class A>
void from_npy(byte_view bytes, A& x, std::string const& name = "npy") {
  std::vector<leaf> const leaves{detail::single_leaf<A>()};
  assign(x, leaves, {detail::find_npy({bytes, name}, leaves[0])});
}

/// Replaces `file` by `to_npy(x)`, as a whole or not at all.
template <class A>
void save_npy(std::string const& file, A const& x) {
  replace_file(file, to_npy(x));
}

/// `from_npy` of a file.
template <class A>
void load_npy(std::string const& file, A& x) {
  from_npy(read_bytes(file, detail::npy_preamble + detail::longest_npy_header + detail::single_leaf<A>().bytes()), x,
           file);
}

}  // namespace io
ETCH_NAMESPACE_END
