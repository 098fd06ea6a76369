// csv_source: the rows of a CSV file as examples, read one by one from the disk.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/io/csv_reader.hpp>
#include <etch/io/example_source.hpp>
#include <etch/io/source_file.hpp>

#include <optional>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Settings of a `csv_source`.
struct csv_source_options {
  char separator = ',';
  bool header = true;                         ///< whether the first line holds names
  std::optional<std::size_t> first_column{};  ///< of those that are read, from 0; without it all columns are
  std::size_t most_row_bytes = std::size_t{1} << 20;
};

/// The rows of a CSV file, which stays on the disk and may be larger than memory: `Columns` numbers each, or one number
/// each for `csv_source<T>`. Where each row begins is kept in memory, 8 bytes a row. Two sources may read different
/// columns of one file; fields of columns that are not read may be any text. Throws `etch::exception` with file, offset
/// and line: from the constructor, which reads the file once, if it cannot be opened, is empty, has no such columns or
/// a row of more than `most_row_bytes`; from `read` if a field is no number or a row has more or fewer fields than the
/// first. Lines are counted as rows: one fewer for each new line within quotes.
template <scalar T, int... Columns>
class csv_source {
 public:
  using example = tensor<T, Columns...>;
  static_assert(sizeof...(Columns) < 2, "etch: a row of a table is a vector, or a single number");

  explicit csv_source(std::string file, csv_source_options const& options = {})
      : state_(std::make_unique<state>(std::move(file), options)) {
    state& s = *state_;
    s.find_rows();
    auto const rows = static_cast<std::int64_t>(s.begin.size()) - 1;
    if (rows < 1) s.file.refuse(0, "the file is empty");
    s.load(0);
    if (options.header) {
      s.fields = detail::read_names(s.reader, options.most_row_bytes).size();
    } else {
      do s.reader.next(), ++s.fields;
      while (!s.reader.ends_line);
    }
    count_ = options.header ? rows - 1 : rows;
    if (count_ == 0) s.file.refuse(s.file.size(), "the file has a header and no rows");
    std::size_t const columns = example::count, first = options.first_column.value_or(0);
    if (options.first_column ? s.fields < columns || first > s.fields - columns : s.fields != columns)
      s.reader.refuse(0, "the file has " + std::to_string(s.fields) + " columns, not " +
                             (options.first_column ? "the columns " + std::to_string(first) + " to " +
                                                         std::to_string(first + columns - 1)
                                                   : std::to_string(columns) + "; first_column says which are read"));
  }

  std::int64_t count() const { return count_; }
  std::string const& name() const { return state_->file.name(); }
  /// Writes the numbers of row `i`.
  void read(std::int64_t i, T* to) {
    state& s = *state_;
    s.load(static_cast<std::size_t>(i) + s.options.header);
    std::size_t const first = s.options.first_column.value_or(0);
    std::size_t field = 0;
    do {
      s.reader.next();
      if (field == s.fields)
        s.reader.refuse(s.reader.begin,
                        "the row has more fields than the first line, which has " + std::to_string(s.fields));
      if (field >= first && field < first + example::count)
        to[field - first] = detail::number_in<T>(s.reader, i == 0 && !s.options.header);
      ++field;
    } while (!s.reader.ends_line);
    if (field != s.fields)
      s.reader.refuse(s.reader.begin, "the row has " + std::to_string(field) + " fields, the first line has " +
                                          std::to_string(s.fields));
  }
  void check() const { state_->file.check(); }

 private:
  // In a place of its own, since the reader refers to the row and to the options.
  struct state {
    detail::source_file file;
    csv_source_options options;
    csv_options form{options.separator, options.header};
    std::vector<std::uint64_t> begin{};  // of each row, and behind the last
    byte_string held{};                  // the row that was loaded last
    section row{byte_view(&nothing, 1), file.name()};
    detail::csv_reader reader{row, form};
    std::size_t fields = 0;

    state(std::string name, csv_source_options const& o) : file(std::move(name)), options(o) {}

    void load(std::size_t i) {
      auto const bytes = static_cast<std::size_t>(begin[i + 1] - begin[i]);
      file.read(begin[i], held.data(), bytes);
      row.bytes = byte_view(held.data(), bytes);
      row.offset = static_cast<std::int64_t>(begin[i]);
      reader.restart(i + 1);
    }
    /// Reads the file once, for where rows begin: behind each new line that is not within quotes.
    void find_rows() {
      constexpr std::size_t largest = std::size_t{1} << 20;
      byte_string chunk(file.size() < largest ? static_cast<std::size_t>(file.size()) : largest);
      std::size_t longest = 0;
      bool quoted = false;
      auto const end_row = [&](std::uint64_t at) {
        std::uint64_t const bytes = at - begin.back();
        if (bytes > options.most_row_bytes)
          file.refuse(begin.back(), "line " + std::to_string(begin.size()) + ": the row has more than the " +
                                        std::to_string(options.most_row_bytes) + " bytes that it may have");
        if (bytes > longest) longest = static_cast<std::size_t>(bytes);
        begin.push_back(at);
      };
      for (std::uint64_t at = 0; at < file.size(); at += chunk.size()) {
        std::size_t const bytes =
            file.size() - at < chunk.size() ? static_cast<std::size_t>(file.size() - at) : chunk.size();
        file.read(at, chunk.data(), bytes);
        if (at == 0) {
          auto const mark = [&](std::size_t i, int b) { return i < bytes && chunk[i] == static_cast<std::byte>(b); };
          begin.push_back(mark(0, 0xef) && mark(1, 0xbb) && mark(2, 0xbf) ? 3 : 0);  // what some put before UTF-8
        }
        for (std::size_t i = 0; i < bytes; ++i) {
          if (chunk[i] == std::byte{'"'}) quoted = !quoted;
          if (chunk[i] == std::byte{'\n'} && !quoted) end_row(at + i + 1);
        }
        if (file.size() - begin.back() > options.most_row_bytes && at + bytes - begin.back() > options.most_row_bytes)
          end_row(at + bytes);  // refuses
      }
      if (!begin.empty() && begin.back() < file.size()) end_row(file.size());
      held.resize(longest);
      reader.field.reserve(longest);
      file.check();
    }

   private:
    static constexpr std::byte nothing{};
  };
  std::unique_ptr<state> state_;
  std::int64_t count_ = 0;
};

}  // namespace io
ETCH_NAMESPACE_END
