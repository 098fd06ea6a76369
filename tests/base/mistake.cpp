#include <etch/base/mistake.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace etch;

/// The text that a child process that makes the mistake `f` prints to its standard error; `signal` is what ended it.
std::string printed_by(void (*f)(), int& signal) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], 2);
    std::signal(SIGABRT, SIG_DFL);
    f();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char letters[256];
  for (ssize_t got; (got = read(ends[0], letters, sizeof letters)) > 0;)
    text.append(letters, static_cast<std::size_t>(got));
  close(ends[0]);
  int state = 0;
  waitpid(child, &state, 0);
  signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  return text;
}

TEST_CASE("a mistaken call prints its sentence and ends the process") {
  int signal = 0;
  CHECK(printed_by([] { error::gradient_targets_overlap(); }, signal) ==
        "etch: two gradient targets of one call overlap in memory\n");
  CHECK(printed_by([] { error::memory_is_not_aligned(); }, signal) ==
        "etch: the memory given to view_as does not begin at a multiple of 64 bytes: declare it alignas(64), or "
        "allocate it so\n");
  CHECK(signal == SIGABRT);
  CHECK(printed_by([] { error::gradient_is_an_argument_of_the_same_call(); }, signal)
            .starts_with("etch: an argument overlaps the program's own"));
  CHECK(signal == SIGABRT);
}

TEST_CASE("a handler that throws takes its place, one that returns does not") {
  auto const before = on_mistake;
  on_mistake = [](char const* sentence) { throw std::runtime_error(sentence); };
  CHECK_THROWS_WITH(error::gradient_targets_overlap(), "etch: two gradient targets of one call overlap in memory");
  on_mistake = [](char const*) {};
  int signal = 0;
  CHECK(printed_by([] { error::gradient_targets_overlap(); }, signal).empty());
  CHECK(signal == SIGABRT);
  on_mistake = before;
}

}  // namespace
