#include "property.hpp"

#include <etch/io/csv.hpp>

#include <cmath>

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace fuzz;
  byte_view const bytes = std::as_bytes(std::span(data, size));
  for (bool header : {true, false}) {
    io::csv_options const options{.header = header};
    auto const check = [&]<class A>(std::type_identity<A>) {
      bool first = true;  // what is saved here has no header
      holds_for<A>(
          bytes,
          [&](byte_view b, A& x) {
            io::from_csv(b, x, first ? options : io::csv_options{.header = false}), first = false;
          },
          [](A const& x) { return io::to_csv(x); });
    };
    check(std::type_identity<tensor<int, 2, 2>>{});
    check(std::type_identity<tensor<bool, 3>>{});
    try {
      io::csv_table const t = io::from_csv(bytes, options);
      require(t.entries.size() == t.columns * t.rows && t.rows > 0 && t.columns > 0,
              "a table has another size than it says");
      require(t.names.size() == (header ? t.columns : 0), "a table has another number of names than columns");
      io::csv_table const again = io::from_csv(io::to_csv(t), options);
      require(again.names == t.names && again.columns == t.columns && again.rows == t.rows,
              "what was read and saved reads differently");
      for (std::size_t i = 0; i < t.entries.size(); ++i)
        require(t.entries[i] == again.entries[i] || (std::isnan(t.entries[i]) && std::isnan(again.entries[i])),
                "a number reads differently");
    } catch (etch::exception const& e) {
      require(std::string(e.what()).find(": at byte ") != std::string::npos, "the refusal names no byte");
    }
  }
  return 0;
}
