// read_csv, write_csv: small tables of numbers as text, the same in every locale. A line of the file is a column of a
// tensor, because the batch runs right. Format: RFC 4180, with line ends of either kind.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/io/csv_reader.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace io {

/// A table of which only the file knows how long it is.
struct csv_table {
  std::vector<std::string> names;  ///< of the columns; empty without a header
  std::size_t columns = 0, rows = 0;
  std::vector<double> entries;  ///< row after row, so the same order as in `tensor<double, columns, rows>`

  /// An entry; throws `etch::exception` with column, row and the table's size if there is none.
  double operator()(std::size_t column, std::size_t row) const {
    if (column >= columns || row >= rows || column + columns * row >= entries.size())
      error::raise("the table has no entry in column " + std::to_string(column) + " of row " + std::to_string(row) +
                   ": it has " + size());
    return entries[column + columns * row];
  }
  /// The column called `name`; throws `etch::exception` if there is none.
  std::size_t column(std::string const& name) const {
    auto const at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) error::raise("the table has no column " + detail::in_quotes(name));
    return static_cast<std::size_t>(at - names.begin());
  }
  /// Its extents in words.
  std::string size() const {
    return std::to_string(columns) + (columns == 1 ? " column and " : " columns and ") + std::to_string(rows) +
           (rows == 1 ? " row" : " rows");
  }
};

namespace detail {

/// All numbers of a file, row after row.
template <class T>
struct csv_numbers {
  std::vector<std::string> names;
  std::size_t columns = 0, rows = 0;
  std::vector<T> entries;

  /// Rows and columns beyond the most asked for are refused where they begin.
  csv_numbers(section const& s, csv_options const& options, std::size_t most_rows, std::size_t most_columns) {
    csv_reader file(s, options);
    if (options.header) {
      names = read_names(file, most_columns);
      columns = names.size();
    }
    for (; !file.at_end(); ++rows) {
      std::size_t fields = 0;
      do {
        file.next();
        if (rows == most_rows)
          file.refuse(file.begin, "the file has more rows than the " + std::to_string(most_rows) + " asked for");
        if (columns == 0) refuse_beyond(file, fields, most_columns);
        else if (fields == columns)
          file.refuse(file.begin, "the row has more fields than the first line, which has " + std::to_string(columns));
        entries.push_back(number_in<T>(file, rows == 0 && !options.header));
        ++fields;
      } while (!file.ends_line);
      if (rows == 0 && columns == 0) columns = fields;
      if (fields != columns)
        file.refuse(file.begin,
                    "the row has " + std::to_string(fields) + " fields, the first line has " + std::to_string(columns));
    }
    if (rows == 0) s.refuse(s.size(), "the file has a header and no rows");
  }
};

/// The extents of a tensor as those of a table: its last axis are the rows.
template <int... Dims>
struct csv_extents {
  static_assert(sizeof...(Dims) == 1 || sizeof...(Dims) == 2,
                "etch: a table is a tensor [columns, rows], or [rows] if it has one column");
  static constexpr shape extent = make_shape(Dims...);
  static constexpr std::size_t rows = static_cast<std::size_t>(extent[extent.rank - 1]),
                               columns = extent.rank == 2 ? static_cast<std::size_t>(extent[0]) : 1;
};

/// A name as text, in quotes where it would be taken for something else without.
inline std::string csv_name(std::string const& name, char separator) {
  double value = 0;
  bool fits = true;
  bool const is_plain =
      name.find_first_of(std::string("\"\r\n") + separator) == std::string::npos && !name.starts_with("\xEF\xBB\xBF");
  if (is_plain && !parse_number(name, value, fits)) return name;
  std::string escaped = "\"";
  for (char c : name) escaped += c == '"' ? std::string("\"\"") : std::string(1, c);
  return escaped + "\"";
}

/// A header if there are names, and rows.
template <class T>
byte_string csv_text(std::vector<std::string> const& names, std::size_t columns, std::size_t rows, T const* entries,
                     csv_options const& options) {
  if (!names.empty() && names.size() != columns)
    error::raise("a table of " + std::to_string(columns) + " columns has " + std::to_string(names.size()) + " names");
  byte_string bytes;
  std::string const separator(1, options.separator);
  for (std::size_t i = 0; i < names.size(); ++i)
    append(bytes, (i > 0 ? separator : "") + csv_name(names[i], options.separator));
  if (!names.empty()) append(bytes, std::string("\n"));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      char text[64];
      std::conditional_t<std::is_same_v<T, bool>, unsigned, T> const number = entries[column + columns * row];
      append(bytes, std::string(text, std::to_chars(text, text + sizeof text, number).ptr) +
                        (column + 1 == columns ? "\n" : separator));
    }
  return bytes;
}

}  // namespace detail

/// Reads a table of unknown length. Fields may be quoted; spaces around numbers are skipped. Throws
/// `etch::exception` with file, offset and line where a field is no number, a row has another number of fields
/// than the first line, the file is empty or has more than `options.most_bytes` bytes or `options.most_columns`
/// columns. `name` is what the bytes are called.
inline csv_table from_csv(byte_view bytes, csv_options const& options = {}, std::string const& name = "csv") {
  detail::csv_numbers<double> numbers({bytes, name}, options, static_cast<std::size_t>(-1), options.most_columns);
  return {std::move(numbers.names), numbers.columns, numbers.rows, std::move(numbers.entries)};
}
/// Reads the file `file` as `from_csv` reads its bytes, and throws as that does; also where there is no such file.
inline csv_table read_csv(std::string const& file, csv_options const& options = {}) {
  return from_csv(read_bytes(file, options.most_bytes), options, file);
}

/// Reads a table into `x`, a tensor `[columns, rows]`, or `[rows]` for a single column. Throws as above, also where the
/// file has other numbers of rows or columns; `x` is then as it was.
template <class T, int... Dims>
void from_csv(byte_view bytes, tensor<T, Dims...>& x, csv_options const& options = {},
              std::string const& name = "csv") {
  using extents = detail::csv_extents<Dims...>;
  section const s{bytes, name};
  detail::csv_numbers<T> const numbers(s, options, extents::rows, extents::columns);
  auto const check = [&](std::size_t found, std::size_t wanted, char const* what) {
    if (found != wanted)
      s.refuse(s.size(), "the file has " + std::to_string(found) + what + ", not " + std::to_string(wanted));
  };
  check(numbers.columns, extents::columns, " columns");
  check(numbers.rows, extents::rows, " rows");
  std::copy(numbers.entries.begin(), numbers.entries.end(), x.begin());
}
/// Reads the file `file` into `x` as `from_csv` reads its bytes.
template <class T, int... Dims>
void read_csv(std::string const& file, tensor<T, Dims...>& x, csv_options const& options = {}) {
  from_csv(read_bytes(file, options.most_bytes), x, options, file);
}

/// A tensor or a table as text: one line for each column of the tensor, under a header if there are names, each number
/// with as many digits as it takes to read the same number again. Throws `etch::exception` for a table that holds more
/// or fewer entries than it says, or another number of names than columns.
template <class T, int... Dims>
byte_string to_csv(tensor<T, Dims...> const& x, std::vector<std::string> const& names = {},
                   csv_options const& options = {}) {
  using extents = detail::csv_extents<Dims...>;
  return detail::csv_text(names, extents::columns, extents::rows, x.data(), options);
}
inline byte_string to_csv(csv_table const& t, csv_options const& options = {}) {
  if (t.entries.size() != t.columns * t.rows)
    error::raise("a table of " + t.size() + " holds " + std::to_string(t.entries.size()) + " entries");
  return detail::csv_text(t.names, t.columns, t.rows, t.entries.data(), options);
}

/// Replaces `file` by `to_csv` of the same arguments, as a whole or not at all.
template <class T, int... Dims>
void write_csv(std::string const& file, tensor<T, Dims...> const& x, std::vector<std::string> const& names = {},
               csv_options const& options = {}) {
  replace_file(file, to_csv(x, names, options));
}
inline void write_csv(std::string const& file, csv_table const& t, csv_options const& options = {}) {
  replace_file(file, to_csv(t, options));
}

}  // namespace io
ETCH_NAMESPACE_END
