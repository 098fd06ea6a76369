// A source of rows reads what from_csv reads, and refuses what that refuses.
#include "in_memory.hpp"

#include <etch/io/csv.hpp>
#include <etch/io/csv_source.hpp>

#include <cmath>

namespace {

using namespace fuzz;

template <int Columns>
void compare(std::string const& name, bool is_read, bool header, io::csv_table const& t) {
  std::vector<double> entries;
  bool const is_opened = accepted([&] {
    io::csv_source<double, Columns> s(name, {.header = header});
    tensor<double, Columns> x;
    for (std::int64_t i = 0; i < s.count(); ++i) {
      s.read(i, x.data());
      entries.insert(entries.end(), x.begin(), x.end());
    }
  });
  require(is_opened == (is_read && t.columns == Columns), "a source and from_csv differ in what they refuse");
  if (!is_opened) return;
  require(entries.size() == t.entries.size(), "a source has more rows or fewer than from_csv");
  for (std::size_t i = 0; i < entries.size(); ++i)
    require(entries[i] == t.entries[i] || (std::isnan(entries[i]) && std::isnan(t.entries[i])),
            "a source reads another number than from_csv");
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const& name = file_of(data, size);
  for (bool header : {true, false}) {
    io::csv_table t;
    bool const is_read =
        accepted([&] { t = io::from_csv(std::as_bytes(std::span(data, size)), io::csv_options{.header = header}); });
    compare<1>(name, is_read, header, t);
    compare<2>(name, is_read, header, t);
    compare<3>(name, is_read, header, t);
  }
  return 0;
}
