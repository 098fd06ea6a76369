#include "instructions.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace bench {

namespace {

/// Steps of a process of its own from one stop to the next, between which it calls `once`.
long steps(std::function<void()> const& once, long most) {
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    once();
    raise(SIGSTOP);
    once();
    raise(SIGSTOP);
    _exit(0);
  }
  auto const stopped_by = [&](int signal) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == signal;
  };
  long count = -1;
  if (stopped_by(SIGSTOP))
    for (count = 0; count <= most; ++count)
      if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0 || !stopped_by(SIGTRAP)) break;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return count > most ? -1 : count;
}

}  // namespace

double instructions(std::function<void()> const& once, long most) {
  static long const around = steps([] {}, 100'000);  // of stopping itself
  long const all = around < 0 ? -1 : steps(once, most);
  return all < 0 ? -1 : static_cast<double>(all - around);
}

}  // namespace bench
