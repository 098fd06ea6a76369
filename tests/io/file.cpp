#include <etch/io/file.hpp>

#include "files.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

namespace {

using namespace files;

byte_string const before = bytes_of_text("before"), after = bytes_of_text("after, and longer");

unsigned permissions(std::string const& file) {
  struct stat s{};
  REQUIRE(stat(file.c_str(), &s) == 0);
  return s.st_mode & 0777;
}

/// The refusal of `f` in a process of its own, which may change its limits and its user.
std::string refusal_apart(auto f) {
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  pid_t const child = fork();
  if (child == 0) {
    std::string const text = refusal(f);
    _exit(::write(pipe_ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::string text(1000, '\0');
  auto const got = read(pipe_ends[0], text.data(), text.size());
  close(pipe_ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

TEST_CASE("a file is read whole, up to the most it may have") {
  folder const here;
  byte_string large((std::size_t{3} << 20) + 5);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::byte>(i * 7 + i / 256);
  write(here / "large", large);
  CHECK(io::read_bytes(here / "large", large.size()) == large);
  CHECK(refusal([&] { io::read_bytes(here / "large", large.size() - 1); }) ==
        "etch: " + (here / "large") + ": at byte " + std::to_string(large.size() - 1) +
            ": the file goes on, although it may have " + std::to_string(large.size() - 1) + " bytes at most");
  write(here / "empty", {});
  CHECK(io::read_bytes(here / "empty", 0).empty());
  CHECK(has(refusal([&] { io::read_bytes(here / "nowhere", 10); }),
            "nowhere: at byte 0: the file cannot be opened: No such file"));
  // One that is longer than the system says.
  CHECK(has(refusal([&] { io::read_bytes("/proc/self/status", 100); }),
            "/proc/self/status: at byte 100: the file goes on"));
}

TEST_CASE("folders, devices and pipes are not read, nor waited for") {
  folder const here;
  REQUIRE(mkfifo((here / "pipe").c_str(), 0600) == 0);
  for (std::string const& file : {here.path.string(), std::string("/dev/zero"), here / "pipe"}) {
    std::string const text = refusal_apart([&] {
      alarm(10);
      io::read_bytes(file, 100);
    });
    CHECK(text == "etch: " + file + ": at byte 0: the file cannot be read: it is no regular file");
  }
}

TEST_CASE("a file is made or replaced, keeps its permissions, and leaves nothing beside it") {
  folder const here;
  std::string const file = here / "file";
  io::replace_file(file, before);
  CHECK(contents(file) == before);
  chmod(file.c_str(), 0640);
  io::replace_file(file, after);
  CHECK(contents(file) == after);
  CHECK(permissions(file) == 0640);
  CHECK(here.names() == std::vector<std::string>{"file"});
  io::replace_file(file, {});
  CHECK(contents(file).empty());
}

TEST_CASE("whoever has the old file open goes on reading it") {
  folder const here;
  io::replace_file(here / "file", before);
  std::ifstream old(here / "file", std::ios::binary);
  io::replace_file(here / "file", after);
  CHECK(bytes_of_text(std::string(std::istreambuf_iterator<char>(old), {})) == before);
}

TEST_CASE("a link is followed, and a file in the current folder needs no path") {
  folder const here;
  fs::create_directory(here.path / "other");
  io::replace_file(here / "other/file", before);
  fs::create_symlink("other/file", here.path / "link");
  io::replace_file(here / "link", after);
  CHECK(fs::is_symlink(here.path / "link"));
  CHECK(contents(here / "other/file") == after);
  fs::path const old = fs::current_path();
  fs::current_path(here.path);
  io::replace_file("plain", before);
  fs::current_path(old);
  CHECK(contents(here / "plain") == before);
}

TEST_CASE("a link that leads to no file stays a link") {
  folder const here;
  fs::create_symlink("nothing", here.path / "dangling");
  fs::create_symlink("loop", here.path / "loop");
  CHECK(refusal([&] { io::replace_file(here / "dangling", after); }) ==
        "etch: " + (here / "dangling") +
            ": cannot be written: it is a link that leads to no file: No such file or directory");
  CHECK(has(refusal([&] { io::replace_file(here / "loop", after); }),
            "it is a link that leads to no file: Too many levels"));
  CHECK(fs::is_symlink(here.path / "dangling"));
  CHECK(fs::is_symlink(here.path / "loop"));
  CHECK(here.names() == std::vector<std::string>{"dangling", "loop"});
}

TEST_CASE("what is in the way of the new file is left alone") {
  folder const here;
  std::string const taken = here / ("file." + std::to_string(getpid()) + "-0.part");
  fs::create_symlink("victim", taken);
  io::replace_file(here / "file", after);
  CHECK(contents(here / "file") == after);
  CHECK(!fs::exists(here / "victim"));
  CHECK(fs::is_symlink(taken));
}

TEST_CASE("folders, devices and folders that do not exist are no targets") {
  folder const here;
  fs::create_directory(here.path / "folder");
  CHECK(refusal([&] { io::replace_file(here / "folder", after); }) ==
        "etch: " + (here / "folder") + ": cannot be written: it is no regular file");
  CHECK(has(refusal([&] { io::replace_file("/dev/null", after); }),
            "/dev/null: cannot be written: it is no regular file"));
  CHECK(has(refusal([&] { io::replace_file(here / "nowhere/file", after); }),
            "nowhere/file: cannot be written: No such file or directory"));
  CHECK(has(refusal([&] { io::replace_file("", after); }), ": cannot be written: "));
  CHECK(here.names() == std::vector<std::string>{"folder"});
}

TEST_CASE("where the disk is full the old file stays whole and the new one goes") {
  folder const here;
  io::replace_file(here / "file", before);
  byte_string const large(std::size_t{1} << 20);
  std::string const text = refusal_apart([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    io::replace_file(here / "file", large);
  });
  CHECK(text == "etch: " + (here / "file") + ": cannot be written: File too large");
  CHECK(contents(here / "file") == before);
  CHECK(here.names() == std::vector<std::string>{"file"});
}

TEST_CASE("where the folder may not be written to, the old file stays") {
  folder const here;
  io::replace_file(here / "file", before);
  chmod(here.path.c_str(), 0555);
  std::string const text = refusal_apart([&] {
    if (getuid() == 0 && setuid(65534) != 0) return;  // nobody: the superuser may write anywhere
    io::replace_file(here / "file", after);
  });
  chmod(here.path.c_str(), 0755);
  CHECK(text == "etch: " + (here / "file") + ": cannot be written: Permission denied");
  CHECK(contents(here / "file") == before);
  CHECK(here.names() == std::vector<std::string>{"file"});
}

TEST_CASE("numbers of a section, and where a refusal says that they are") {
  byte_string const bytes = bytes_of_text(std::string("\x01\x02\x03\x04\xff\xff\xff\xff\xff", 9));
  io::section const s{bytes, "file", 100, "entry 'x'"};
  CHECK(s.number<std::uint16_t>(0) == 0x0201);
  CHECK(s.number<std::uint32_t>(1) == 0xff040302u);
  CHECK(s.number<std::uint64_t>(1) == 0xffffffffff040302u);
  CHECK(s.holds(9, 0));
  CHECK(!s.holds(9, 1));
  CHECK(!s.holds(10, 0));
  CHECK(!s.holds(1, static_cast<std::size_t>(-1)));
  CHECK(refusal([&] { s.refuse(7, "no"); }) == "etch: file: at byte 107: entry 'x': no");
  CHECK(io::detail::in_quotes(std::string(200, 'x')) == "'" + std::string(80, 'x') + "...'");
}
