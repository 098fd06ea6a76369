#include <etch/io/source_file.hpp>

#include "files.hpp"

#include <sys/stat.h>

#include <chrono>
#include <thread>

namespace {

using namespace files;
using io::detail::source_file;

TEST_CASE("bytes at any place, and a refusal beyond the end") {
  folder const f;
  write(f / "x", bytes_of_text("0123456789"));
  source_file const file(f / "x");
  CHECK(file.size() == 10);
  char text[4] = {};
  file.read(3, text, 4);
  CHECK(std::string(text, 4) == "3456");
  file.read(10, text, 0);
  CHECK(has(refusal([&] { file.read(8, text, 4); }), "x: at byte 10: the file ends 2 bytes too early"));
}

TEST_CASE("what is no regular file is refused at once") {
  folder const f;
  CHECK(has(refusal([&] { source_file(f / "none"); }), "at byte 0: the file cannot be opened: No such file"));
  CHECK(has(refusal([&] { source_file(f.path.string()); }), "it is no regular file"));
  REQUIRE(mkfifo((f / "pipe").c_str(), 0600) == 0);
  CHECK(has(refusal([&] { source_file(f / "pipe"); }), "it is no regular file"));
}

TEST_CASE("a file that is cut, grows or is written to is told from the one that was opened") {
  folder const f;
  write(f / "x", bytes_of_text("0123456789"));
  char text[4] = {};
  {
    source_file const file(f / "x");
    file.check();
    fs::resize_file(f / "x", 6);
    std::string const sentence = "x: at byte 6: the file has changed: it has 6 bytes, and had 10 when it was opened";
    CHECK(has(refusal([&] { file.check(); }), sentence));
    CHECK(has(refusal([&] { file.read(5, text, 4); }), sentence));
  }
  {
    source_file const file(f / "x");
    fs::resize_file(f / "x", 60);
    CHECK(has(refusal([&] { file.check(); }), "at byte 6: the file has changed: it has 60 bytes, and had 6"));
  }
  {
    source_file const file(f / "x");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    write(f / "y", contents(f / "x"));
    fs::rename(f / "y", f / "x");  // another file of this name
    file.check();
    file.read(0, text, 4);
    CHECK(std::string(text, 4) == "0123");
  }
  {
    source_file const file(f / "x");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    {
      std::fstream out(f / "x", std::ios::in | std::ios::out | std::ios::binary);
      out.put('z');
    }
    CHECK(has(refusal([&] { file.check(); }), "the file has changed: it was written to since it was opened"));
  }
}

}  // namespace
