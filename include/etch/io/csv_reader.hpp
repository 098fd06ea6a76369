// csv_reader: the fields of a CSV file one after the other, and the numbers that they spell. Format: RFC 4180, with
// line ends of either kind.
#pragma once

#include <etch/graph/element.hpp>
#include <etch/io/file.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace io {

/// The form of a CSV file, and limits of what is read from one.
struct csv_options {
  char separator = ',';
  bool header = true;  ///< whether the first line read holds names
  std::size_t most_bytes = std::size_t{1} << 28;
  std::size_t most_columns = std::size_t{1} << 16;  ///< of a table; those of a tensor are known
};

namespace detail {

/// Reads a file field by field.
class csv_reader {
 public:
  std::string field;
  std::size_t begin = 0;  // of the field
  bool is_quoted = false, ends_line = false;

  csv_reader(section const& s, csv_options const& options) : s_(s), options_(options) {
    if (s.size() == 0) s.refuse(0, "the file is empty");
    if (s.size() >= 3 && s.text(0, 3) == "\xef\xbb\xbf") at_ = 3;  // the mark that some programs put before UTF-8
  }

  bool at_end() const { return at_ == s_.size(); }
  /// Begins again, with what the section holds now, which is line `line` of the file.
  void restart(std::size_t line) {
    at_ = 0;
    line_ = line;
    ends_line = false;
  }
  [[noreturn]] void refuse(std::size_t at, std::string const& reason) const {
    s_.refuse(at, "line " + std::to_string(line_) + ": " + reason);
  }

  void next() {
    if (ends_line) ++line_;
    field.clear();
    begin = at_;
    is_quoted = peek() == '"';
    if (is_quoted) quoted_field();
    else
      for (; !ends_field(); ++at_) {
        if (peek() == '"') refuse(at_, "a quotation mark inside a field that does not begin with one");
        field += peek();
      }
    ends_line = true;
    if (at_end()) return;
    ends_line = peek() != options_.separator;
    if (peek() == '\r' && !is_at(1, '\n')) refuse(at_, "a carriage return without a new line");
    at_ += peek() == '\r' ? 2 : 1;
  }

 private:
  section const& s_;
  csv_options const& options_;
  std::size_t at_ = 0, line_ = 1;

  char peek() const { return at_end() ? '\0' : static_cast<char>(s_.bytes[at_]); }
  bool is_at(std::size_t further, char c) const {
    return s_.holds(at_, further + 1) && static_cast<char>(s_.bytes[at_ + further]) == c;
  }
  bool ends_field() const { return at_end() || peek() == options_.separator || peek() == '\n' || peek() == '\r'; }
  void quoted_field() {
    std::size_t lines = 0;
    for (++at_; !at_end(); ++at_) {
      if (peek() == '"') {
        if (!is_at(1, '"')) break;
        ++at_;
      }
      lines += peek() == '\n';
      field += peek();
    }
    if (at_end()) refuse(begin, "a quoted field without an end");
    ++at_;
    if (!ends_field()) refuse(at_, "a quoted field goes on after its end");
    line_ += lines;
  }
};

/// Whether a decimal number, which has a nonzero digit, is below 1 in magnitude.
inline bool is_small(char const* begin, char const* end) {
  std::int64_t magnitude = 0;  // the power of ten above the first digit that is not zero
  for (bool nonzero = false, after_point = false; begin != end && *begin != 'e' && *begin != 'E'; ++begin) {
    after_point = after_point || *begin == '.';
    nonzero = nonzero || (*begin >= '1' && *begin <= '9');
    if (*begin >= '0' && *begin <= '9' && nonzero != after_point) magnitude += nonzero ? 1 : -1;
  }
  std::int64_t exponent = 0;
  if (begin != end && ++begin != end && *begin == '+') ++begin;
  bool const negative = begin != end && *begin == '-';
  if (std::from_chars(begin, end, exponent).ec == std::errc::result_out_of_range) return negative;
  return exponent <= -magnitude;
}

/// Whether `text`, apart from spaces around it, is a number of type `T`; `fits` says whether the type can hold it. What
/// is nearer to zero than to any other number of the type is zero.
template <class T>
bool parse_number(std::string const& text, T& value, bool& fits) {
  char const *begin = text.data(), *end = begin + text.size();
  auto const is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (begin != end && is_space(*begin)) ++begin;
  while (begin != end && is_space(end[-1])) --end;
  if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
  std::conditional_t<std::is_same_v<T, bool>, unsigned, T> number{};
  auto const [stop, error] = std::from_chars(begin, end, number);
  fits = error != std::errc::result_out_of_range && (!std::is_same_v<T, bool> || number <= decltype(number){1});
  if constexpr (std::is_floating_point_v<T>)
    if (!fits && is_small(begin, stop)) fits = true, number = *begin == '-' ? -T{0} : T{0};
  value = static_cast<T>(number);
  return stop == end && error != std::errc::invalid_argument;
}

/// The number that the reader's field spells.
template <class T>
T number_in(csv_reader const& file, bool may_be_header) {
  T value{};
  bool fits = true;
  if (!parse_number(file.field, value, fits))
    file.refuse(file.begin, in_quotes(file.field) + " is no " + (std::is_integral_v<T> ? "whole " : "") + "number" +
                                (may_be_header ? "; is the first line a header?" : ""));
  if (!fits) file.refuse(file.begin, in_quotes(file.field) + " is beyond the numbers of " + name_of(element_of<T>));
  return value;
}

inline void refuse_beyond(csv_reader const& file, std::size_t fields, std::size_t most) {
  if (fields == most)
    file.refuse(file.begin, "the file has more columns than the " + std::to_string(most) + " it may have");
}

/// The names in the first line of a file, `most` at most.
inline std::vector<std::string> read_names(csv_reader& file, std::size_t most) {
  std::vector<std::string> names;
  bool all_numbers = true;  // and none of them quoted, which makes it a name
  do {
    file.next();
    refuse_beyond(file, names.size(), most);
    double value = 0;
    bool fits = true;
    all_numbers = all_numbers && !file.is_quoted && parse_number(file.field, value, fits);
    names.push_back(file.field);
  } while (!file.ends_line);
  if (all_numbers) file.refuse(0, "the header has nothing but numbers; is there none?");
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (auto const same = std::adjacent_find(sorted.begin(), sorted.end()); same != sorted.end())
    file.refuse(0, "the header has the name " + in_quotes(*same) + " twice");
  return names;
}

}  // namespace detail
}  // namespace io
ETCH_NAMESPACE_END
