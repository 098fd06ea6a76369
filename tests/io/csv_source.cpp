#include <etch/io/csv_source.hpp>

#include "files.hpp"

namespace {

using namespace files;

template <class Source>
auto example_of(Source& s, std::int64_t i) {
  typename Source::example x;
  s.read(i, x.data());
  return x;
}

TEST_CASE("rows in any order, with line ends of either kind") {
  folder const f;
  for (std::string const end : {"\n", "\r\n"})
    for (std::string const mark : {"", "\xef\xbb\xbf"})
      for (bool const header : {true, false})
        for (bool const last_ends : {true, false}) {
          std::string text = mark + (header ? "a,b,c" + end : "");
          for (int row = 0; row < 7; ++row)
            text += std::to_string(row) + ", " + std::to_string(row) + ".5,\"" + std::to_string(-row) + "\"" +
                    (row < 6 || last_ends ? end : "");
          write(f / "x", bytes_of_text(text));
          io::csv_source<double, 3> source(f / "x", {.header = header});
          CHECK(source.count() == 7);
          for (int n : {6, 0, 3, 0}) CHECK(example_of(source, n) == tensor<double, 3>(n, n + 0.5, -n));
        }
}

TEST_CASE("some of the columns, beside text with quotes, separators and new lines") {
  folder const f;
  write(f / "x", bytes_of_text("name;left;right;label\n\"a;\"\"b\"\"\nc\";1;2;0\nd;3;4;1\n\"\";5;6;2"));
  io::csv_source<float, 2> points(f / "x", {.separator = ';', .first_column = 1});
  io::csv_source<int> labels(f / "x", {.separator = ';', .first_column = 3});
  CHECK(points.count() == 3);
  for (int n : {2, 0, 1}) {
    CHECK(example_of(points, n) == tensor<float, 2>(static_cast<float>(2 * n + 1), static_cast<float>(2 * n + 2)));
    CHECK(example_of(labels, n) == n);
  }
  CHECK(has(refusal([&] { io::csv_source<float, 2>(f / "x", {.separator = ';', .first_column = 3}); }),
            "the file has 4 columns, not the columns 3 to 4"));
  CHECK(has(refusal([&] { io::csv_source<float, 2>(f / "x", {.separator = ';'}); }),
            "the file has 4 columns, not 2; first_column says which are read"));
}

TEST_CASE("rows across the chunks in which a file is read") {
  folder const f;
  std::string text = "x\n";
  constexpr int rows = 300000;
  for (int row = 0; row < rows; ++row) text += std::to_string(row) + "\n";
  write(f / "x", bytes_of_text(text));
  io::csv_source<int> source(f / "x");
  CHECK(source.count() == rows);
  int wrong = 0;
  for (int row = 0; row < rows; row += 7) wrong += static_cast<int>(example_of(source, row)) != row;
  CHECK(wrong == 0);
  CHECK(example_of(source, rows - 1) == rows - 1);
}

TEST_CASE("files that are no such tables") {
  folder const f;
  auto const opened = [&](std::string const& text, io::csv_source_options const& options = {}) {
    write(f / "x", bytes_of_text(text));
    return refusal([&] { io::csv_source<int, 2>(f / "x", options); });
  };
  CHECK(opened("a,b\n1,2\n").empty());
  CHECK(has(opened(""), "x: at byte 0: the file is empty"));
  CHECK(has(opened("a,b\n"), "at byte 4: the file has a header and no rows"));
  CHECK(has(opened("1,2\n3,4\n"), "the header has nothing but numbers; is there none?"));
  CHECK(has(opened("a,a\n3,4\n"), "the header has the name 'a' twice"));
  CHECK(has(opened("a,b\n1,2\n" + std::string(100, '3') + ",4\n", {.most_row_bytes = 50}),
            "at byte 8: line 3: the row has more than the 50 bytes that it may have"));
  CHECK(has(opened("a,b\n1,2\n\"" + std::string(3000000, '3') + ",4\n"),
            "at byte 8: line 3: the row has more than the 1048576"));

  auto const read = [&](std::string const& text, int row) {
    write(f / "x", bytes_of_text(text));
    return refusal([&] {
      io::csv_source<int, 2> source(f / "x");
      example_of(source, row);
    });
  };
  CHECK(has(read("a,b\n1,2\n3,x\n", 1), "x: at byte 10: line 3: 'x' is no whole number"));
  CHECK(read("a,b\n1,2\n3,x\n", 0).empty());
  CHECK(has(read("a,b\n1,2\n3\n", 1), "line 3: the row has 1 fields, the first line has 2"));
  CHECK(has(read("a,b\n1,2\n3,4,5\n", 1), "line 3: the row has more fields than the first line, which has 2"));
  CHECK(has(read("a,b\n1,2\n\n3,4\n", 1), "line 3: '' is no whole number"));
  CHECK(has(read("a,b\n1,2\n3,99999999999\n", 1), "is beyond the numbers of"));
  CHECK(has(read("a,b\n1,2\n3,4\"\n", 1), "a quotation mark inside a field"));
}

TEST_CASE("a file that is cut after it was opened") {
  folder const f;
  write(f / "x", bytes_of_text("a\n10\n20\n30\n"));
  io::csv_source<int> source(f / "x");
  fs::resize_file(f / "x", 7);
  CHECK(example_of(source, 0) == 10);
  CHECK(has(refusal([&] { example_of(source, 1); }), "x: at byte 7: the file has changed: it has 7 bytes, and had 11"));
}

}  // namespace
