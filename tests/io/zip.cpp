#include <etch/io/zip.hpp>

#include "archive.hpp"

namespace {

using namespace files;

/// The contents of all entries, with their names.
std::vector<std::pair<std::string, std::string>> unpacked(byte_view bytes, std::size_t most = 10) {
  std::vector<std::pair<std::string, std::string>> all;
  for (io::zip_entry const& e : io::read_zip({bytes, "zip"}, most)) {
    byte_string storage;
    all.emplace_back(e.name, text_of(io::unpack(e, storage).bytes));
  }
  return all;
}
void refused(byte_view bytes, std::string const& words) {
  std::string const text = refusal([&] { unpacked(bytes); });
  CAPTURE(text);
  CAPTURE(words);
  CHECK(text.starts_with("etch: zip: at byte "));
  CHECK(has(text, words));
}

std::string const long_text(5000, 'x');
std::vector<archived> two() { return {{"a", bytes_of_text("first")}, {"b", bytes_of_text(long_text), true}}; }

}  // namespace

TEST_CASE("zip: entries stored and deflated, with numpy's zip64 fields or without") {
  for (bool zip64 : {false, true}) {
    std::vector<archived> entries = two();
    for (archived& e : entries) e.zip64 = zip64;
    entries[0].other_field = std::string("UT\x05\x00\x01\x02\x03\x04\x05", 9);
    entries[1].flags = 2;
    CHECK(unpacked(archive(entries)) ==
          std::vector<std::pair<std::string, std::string>>{{"a", "first"}, {"b", long_text}});
  }
  CHECK(unpacked(archive({})).empty());
}

TEST_CASE("zip: what the library writes is what it reads, and equal contents are equal files") {
  io::zip_writer a, b;
  for (io::zip_writer* each : {&a, &b}) {
    each->add("one", bytes_of_text("head"), bytes_of_text("tail"));
    each->add("two", {}, {});
  }
  byte_string const bytes = a.finish();
  CHECK(unpacked(bytes) == std::vector<std::pair<std::string, std::string>>{{"one", "headtail"}, {"two", ""}});
  CHECK(bytes == b.finish());
}

TEST_CASE("zip: entries that lie about themselves are refused") {
  auto const refused_with = [](auto change, std::string const& words) {
    std::vector<archived> entries = two();
    change(entries[1]);
    refused(archive(entries), words);
  };
  refused_with([](archived& e) { e.checksum = 1; }, "entry 'b': the checksum differs");
  refused_with([](archived& e) { e.size = 4999; },
               "the packed bytes do not give the 4999 bytes that the directory names");
  refused_with([](archived& e) { e.size = 5001; }, "the packed bytes do not give the 5001 bytes");
  refused_with([](archived& e) { e.packed_size = 3; }, "the archive has bytes that belong to no entry");
  refused_with([](archived& e) { e.packed_size = 0x7fffffff; }, "entry 'b' goes on after the last entry's end");
  refused_with([](archived& e) { e.flags = 1; }, "encrypted");
  refused_with([](archived& e) { e.flags = 8; }, "its sizes follow its data");
  refused_with([](archived& e) { e.method = 12; }, "packed by method 12, not stored or deflated");
  refused_with([](archived& e) { e.method = 0; }, "a stored entry has two different sizes");
  refused_with([](archived& e) { e.local_name = "c"; }, "the header of entry 'b' differs from the directory");
  refused_with([](archived& e) { e.offset = 0; }, "does not begin where the one before it ends");
  refused_with([](archived& e) { e.offset = 0xffffffff; }, "does not begin where the one before it ends");
  refused_with([](archived& e) { e.contents[0] = std::byte{'y'}, e.checksum = 0; }, "the checksum differs");
}

TEST_CASE("zip: an archive that is not just its entries is refused") {
  byte_string const good = archive(two());
  refused(archive(two(), "hello"), "does not end as an archive without a comment does");
  refused(archive(two(), std::string(22, '\0')), "does not end as an archive");
  byte_string before = bytes_of_text("#!/bin/sh\n");
  io::append(before, good);
  refused(before, "the directory does not end where the archive's end begins");
  refused({}, "at byte 0: the file ends inside the end of an archive");
  CHECK(has(refusal([&] { unpacked(good, 1); }), "the archive has 2 entries; it may have 1 at most"));
  byte_string fewer = good;
  fewer[fewer.size() - 12] = fewer[fewer.size() - 14] = std::byte{1};
  refused(fewer, "the archive has bytes that belong to no entry");
  std::vector<archived> twice{{"a", bytes_of_text("x")}, {"a", bytes_of_text("y")}};
  twice[1].offset = 0;  // two records of one entry
  refused(archive(twice), "does not begin where the one before it ends");
}

TEST_CASE("zip: a deflated entry that would fill memory stops at the size it names") {
  byte_string packed = deflated(byte_string(std::size_t{1} << 26));
  CHECK(packed.size() < 100000);
  std::vector<archived> bomb{{"a", packed}};
  bomb[0].method = 8, bomb[0].size = 100;
  refused(archive(bomb), "do not give the 100 bytes");
}
