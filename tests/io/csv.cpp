#include <etch/io/csv.hpp>

#include "files.hpp"

#include <clocale>
#include <cmath>
#include <limits>

namespace {

using namespace files;
using io::from_csv;
using io::to_csv;

io::csv_options const no_header{.header = false};
constexpr auto load = [](byte_view bytes, auto& x) { from_csv(bytes, x); };

io::csv_table table_of(std::string const& text, io::csv_options const& options = {}) {
  return from_csv(bytes_of_text(text), options);
}
void refused(std::string const& text, std::string const& words, io::csv_options const& options = {}) {
  std::string const said = refusal([&] { table_of(text, options); });
  CAPTURE(said);
  CAPTURE(words);
  CHECK(said.starts_with("etch: csv: at byte "));
  CHECK(has(said, words));
}

TEST_CASE("csv: a name that begins like a mark of the byte order is a name") {
  io::csv_table const t{{"\xEF\xBB\xBFx", "y"}, 2, 1, {1, 2}};
  io::csv_table const again = io::from_csv(io::to_csv(t));
  CHECK(again.names == t.names);
}

}  // namespace

TEST_CASE("csv: a row of the file is a column of the tensor") {
  tensor<double, 2, 3> x;
  from_csv(bytes_of_text("height,weight\n1,2\n3,4\n5,6\n"), x);
  CHECK(x(0, 0) == 1);
  CHECK(x(1, 0) == 2);
  CHECK(x(0, 2) == 5);
  io::csv_table const t = table_of("height,weight\n1,2\n3,4\n5,6\n");
  CHECK(t.names == std::vector<std::string>{"height", "weight"});
  CHECK(t.rows == 3);
  CHECK(t.columns == 2);
  CHECK(t(t.column("weight"), 2) == 6);
  CHECK(refusal([&] { t.column("age"); }) == "etch: the table has no column 'age'");
  CHECK(refusal([&] { t(2, 0); }) == "etch: the table has no entry in column 2 of row 0: it has 2 columns and 3 rows");
  CHECK(refusal([&] { t(1, 3); }) == "etch: the table has no entry in column 1 of row 3: it has 2 columns and 3 rows");
  CHECK(refusal([&] { t(static_cast<std::size_t>(-1), 1); }).starts_with("etch: the table has no entry in column"));
  CHECK(refusal([] { io::csv_table{}(0, 0); }) ==
        "etch: the table has no entry in column 0 of row 0: it has 0 columns and 0 rows");
  tensor<int, 3> labels;
  from_csv(bytes_of_text("7\n8\n9"), labels, no_header);
  CHECK(labels == tensor<int, 3>{7, 8, 9});
}

TEST_CASE("csv: a table that says another size than it holds is neither read nor written beyond its end") {
  io::csv_table const t{{}, 2, 3, {1, 2, 3, 4, 5}};
  CHECK(t(0, 2) == 5);
  CHECK(refusal([&] { t(1, 2); }) == "etch: the table has no entry in column 1 of row 2: it has 2 columns and 3 rows");
  CHECK(refusal([&] { io::to_csv(t); }) == "etch: a table of 2 columns and 3 rows holds 5 entries");
}

TEST_CASE("csv: quotes, either line end, spaces, signs, a mark in front, another separator") {
  io::csv_table const t = table_of("\xef\xbb\xbf\"a,\"\"b\"\"\nc\",d\r\n\"1\", +2.5e-3\t\r\n-0,.5");
  CHECK(t.names == std::vector<std::string>{"a,\"b\"\nc", "d"});
  CHECK(t.entries.size() == 4);
  CHECK(t(0, 0) == 1);
  CHECK(t(1, 0) == 2.5e-3);
  CHECK(std::signbit(t(0, 1)));
  CHECK(t(1, 1) == 0.5);
  CHECK(table_of("1;2\n3;4", {.separator = ';', .header = false}).entries == std::vector<double>{1, 2, 3, 4});
  CHECK(std::isnan(table_of("nan,-inf", no_header)(0, 0)));
}

TEST_CASE("csv: every number comes back from its shortest text") {
  auto const check = []<class T>(T) {
    using table = tensor<T, 3, 40>;
    table x = filled<table>(1), y;
    x(0, 0) = std::numeric_limits<T>::max();
    x(1, 0) = std::numeric_limits<T>::lowest();
    x(2, 0) = std::numeric_limits<T>::min();
    if constexpr (std::is_floating_point_v<T>)
      x(0, 1) = std::numeric_limits<T>::denorm_min(), x(1, 1) = -std::numeric_limits<T>::infinity();
    from_csv(to_csv(x), y, no_header);
    CHECK(memory_of(x) == memory_of(y));
    from_csv(to_csv(x, {"a", " b\"", "c,\n"}), y);
    CHECK(memory_of(x) == memory_of(y));
  };
  check(0.0), check(0.0f), check(true), check(std::int8_t{}), check(std::uint8_t{}), check(std::int16_t{}), check(0),
      check(0u);
  check(std::int64_t{}), check(std::uint64_t{});
}

TEST_CASE("csv: the text is what a spreadsheet writes") {
  CHECK(text_of(to_csv(tensor<float, 2, 2>{0.1f, 1e10f, -3, 0.5f}, {"x", "say \"y\""})) ==
        "x,\"say \"\"y\"\"\"\n0.1,1e+10\n-3,0.5\n");
  CHECK(text_of(to_csv(table_of("a;b\n1;2\n", {.separator = ';'}))) == "a,b\n1,2\n");
  CHECK(refusal([] { to_csv(tensor<float, 2, 2>{}, {"x"}); }) == "etch: a table of 2 columns has 1 names");
}

TEST_CASE("csv: the decimal point is one in every locale") {
  char const* const before = std::setlocale(LC_ALL, nullptr);
  std::string const old = before != nullptr ? before : "C";
  bool const comma =
      std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr || std::setlocale(LC_ALL, "fr_FR.UTF-8") != nullptr;
  CHECK(table_of("1.5,2", no_header)(0, 0) == 1.5);
  CHECK(text_of(to_csv(tensor<double, 1>{1.5})) == "1.5\n");
  std::setlocale(LC_ALL, old.c_str());
  if (!comma) MESSAGE("skipped: no locale with a decimal comma is installed");
}

TEST_CASE("csv: what is no table of numbers is refused, with byte and line") {
  refused("", "at byte 0: the file is empty");
  refused("a,b\n", "at byte 4: the file has a header and no rows");
  refused("a,b\n1,2\n3\n", "at byte 8: line 3: the row has 1 fields, the first line has 2");
  refused("a,b\n1,2\n3,4,5\n", "at byte 12: line 3: the row has more fields than the first line, which has 2");
  refused("a,b\n1,2\n\n", "at byte 8: line 3: '' is no number");
  refused("a,b\n1,x\n", "at byte 6: line 2: 'x' is no number");
  refused("a,b\n1,2 3\n", "'2 3' is no number");
  refused("a,b\n1,2,\n", "at byte 8: line 2: the row has more fields than the first line");
  refused("a,b\n1,\n", "'' is no number");
  refused("a,b\n1,0x10\n", "'0x10' is no number");
  refused("a,b\n1,1.5.5\n", "is no number");
  refused("a,b\n1,--5\n", "is no number");
  refused("a,b\n1,+-5\n", "is no number");
  refused("a,b\n1,1e999\n", "'1e999' is beyond the numbers of f64");
  refused("1,2\n3,4\n", "line 1: the header has nothing but numbers; is there none?");
  refused("a,b\n1,2\n", "'a' is no number; is the first line a header?", no_header);
  refused("a,a\n1,2\n", "line 1: the header has the name 'a' twice");
  refused("a,b\n1,\"2\n", "line 2: a quoted field without an end");
  refused("a,b\n1,\"2\"3\n", "a quoted field goes on after its end");
  refused("a,b\n1,2\"3\"\n", "a quotation mark inside a field");
  refused("a,b\n1,2\r3,4\n", "a carriage return without a new line");
  refused("\"a\nb\",c\n1,x\n", "line 3: 'x' is no number");
  refused(std::string("a,b\n1,2\0\n", 9), "is no number");
  refused("a\n\x1b[31m\n", "'?[31m' is no number");
}

TEST_CASE("csv: a row of separators is refused at the first field too many, not read") {
  std::string const separators(1000, ',');
  refused(separators + "\n", "at byte 3: line 1: the file has more columns than the 3 it may have",
          {.most_columns = 3});
  refused("1,2,3" + separators, "at byte 6: line 1: the file has more columns than the 3",
          {.header = false, .most_columns = 3});
  refused("a\n1" + separators, "at byte 4: line 2: the row has more fields than the first line, which has 1");
  refused(std::string(70000, ','), "at byte 65536: line 1: the file has more columns than the 65536");
  CHECK(table_of("a,b,c\n1,2,3", {.most_columns = 3}).columns == 3);
  check_refused<tensor<float, 2, 1>>(bytes_of_text(separators), load,
                                     "at byte 2: line 1: the file has more columns than the 2");
  static tensor<double, 70000, 1> x, y;  // whose columns are known
  from_csv(to_csv(x), y, no_header);
  CHECK(x == y);
}

TEST_CASE("csv: what is too small for the type is rounded, what is too large is refused") {
  tensor<float, 1> x;
  auto const narrow = [&](std::string const& text) { return from_csv(bytes_of_text(text), x, no_header), x(0); };
  auto const wide = [](std::string const& text) { return table_of(text, no_header)(0, 0); };
  CHECK(narrow("1e-50") == 0);
  CHECK(narrow("8e-46") == std::numeric_limits<float>::denorm_min());
  CHECK(narrow("7e-46") == 0);  // less than half of it
  CHECK(std::signbit(narrow("-1e-50")));
  CHECK(wide("1e-400") == 0);
  CHECK(std::signbit(wide(" -1E-400 ")));
  CHECK(wide("3e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(wide("2e-324") == 0);
  CHECK(wide("1e-99999999999999999999") == 0);
  CHECK(wide("0." + std::string(400, '0') + "1e2") == 0);
  CHECK(wide("1" + std::string(400, '0') + "e-800") == 0);
  CHECK(wide("0." + std::string(400, '0') + "1e401") == doctest::Approx(1));
  for (std::string const& large :
       {std::string("1e400"), std::string("-1e+400"), std::string("1e99999999999999999999"), std::string(400, '9'),
        "0." + std::string(50, '0') + "1e400", std::string(400, '9') + ".5e-1"})
    refused(large, "is beyond the numbers of f64", no_header);
  CHECK(has(refusal([&] { narrow("1e39"); }), "'1e39' is beyond the numbers of f32"));
}

TEST_CASE("csv: names may look like numbers, in quotes") {
  tensor<double, 2, 1> const x{3, 4};
  std::string const text = text_of(to_csv(x, {"1", "2"}));
  CHECK(text == "\"1\",\"2\"\n3,4\n");
  CHECK(table_of(text).names == std::vector<std::string>{"1", "2"});
  CHECK(table_of(text).entries == std::vector<double>{3, 4});
  CHECK(text_of(to_csv(x, {"nan", "b1"})) == "\"nan\",b1\n3,4\n");
}

TEST_CASE("csv: numbers must fit the tensor, which is as it was where they do not") {
  using bytes2 = tensor<std::uint8_t, 1, 2>;
  auto const refused_by = [](std::string const& text, std::string const& words) {
    check_refused<bytes2>(bytes_of_text(text), load, words);
  };
  refused_by("a\n1\n256\n", "at byte 4: line 3: '256' is beyond the numbers of u8");
  refused_by("a\n1\n-1\n", "'-1' is no whole number");
  refused_by("a\n1\n1.5\n", "'1.5' is no whole number");
  refused_by("a\n1\n", "the file has 1 rows, not 2");
  refused_by("a\n1\n2\n3\n", "at byte 6: line 4: the file has more rows than the 2 asked for");
  refused_by("a,b\n1,2\n3,4\n", "at byte 2: line 1: the file has more columns than the 1 it may have");
  check_refused<tensor<bool, 2>>(bytes_of_text("a\n0\n2\n"), load, "'2' is beyond the numbers of bool");
}

TEST_CASE("csv: a table cut anywhere or with any bit turned is read or refused, never half") {
  std::string const text = "a,\"b\"\r\n1,2.5\n-3e5,\"4\"\n";
  for (std::size_t length = 0; length <= text.size(); ++length)
    for (int bit = 0; bit < 8; ++bit) {
      byte_string bytes = bytes_of_text(text.substr(0, length));
      if (length > 0) bytes.back() ^= std::byte{1} << bit;
      tensor<double, 2, 2> const before{9, 9, 9, 9};
      tensor<double, 2, 2> x = before;
      if (!refusal([&] { from_csv(bytes, x); }).empty()) CHECK(memory_of(x) == memory_of(before));
      io::csv_table t;
      if (refusal([&] { t = from_csv(bytes); }).empty()) CHECK(t.entries.size() == t.columns * t.rows);
    }
}

TEST_CASE("csv: files, and the largest one may have") {
  folder const here;
  auto const x = filled<tensor<double, 2, 3>>(1);
  tensor<double, 2, 3> y;
  io::write_csv(here / "x.csv", x, {"a", "b"});
  io::read_csv(here / "x.csv", y);
  CHECK(x == y);
  io::csv_table const t = io::read_csv(here / "x.csv");
  CHECK(t.entries == std::vector<double>(x.begin(), x.end()));
  io::write_csv(here / "t.csv", t);
  CHECK(contents(here / "t.csv") == contents(here / "x.csv"));
  CHECK(has(refusal([&] { io::read_csv(here / "x.csv", {.most_bytes = 10}); }), "x.csv: at byte 10: the file goes on"));
  CHECK(has(refusal([&] { io::read_csv(here / "x.csv", y, {.most_bytes = 10}); }),
            "x.csv: at byte 10: the file goes on"));
}
