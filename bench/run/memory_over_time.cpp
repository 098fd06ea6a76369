#include "memory_over_time.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace bench {

namespace {

double resident() {
  long size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The most that has been resident at once, as the kernel knows it.
double peak() {
  std::string line;
  for (std::ifstream status("/proc/self/status"); std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
  return NAN;
}

void measure(std::function<void()> const& prepare, std::function<double()> const& work, int interval, std::FILE* to) {
  using clock = std::chrono::steady_clock;
  double const before = resident();
  prepare();
  auto const start = clock::now();
  auto const seconds = [&] { return std::chrono::duration<double>(clock::now() - start).count(); };
  std::atomic<bool> done = false;
  curve samples;
  std::thread sampler([&] {
    while (!done) {
      samples.push_back({seconds(), resident()});
      std::this_thread::sleep_for(std::chrono::milliseconds(interval));
    }
  });
  double const result = work();
  double const took = seconds();
  done = true;
  sampler.join();
  samples.push_back({took, resident()});
  std::fprintf(to, "%.17g %.17g %.17g %.17g\n", before, peak(), took, result);
  for (sample const& s : samples) std::fprintf(to, "%.17g %.17g\n", s.seconds, s.bytes);
}

}  // namespace

measured_memory measure_memory(std::function<void()> const& prepare, std::function<double()> const& work,
                               int interval) {
  int ends[2];
  measured_memory m;
  if (pipe(ends) != 0) return m;
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child < 0) return m;
  if (child == 0) {
    close(ends[0]);
    std::FILE* const to = fdopen(ends[1], "w");
    measure(prepare, work, interval, to);
    std::fclose(to);
    _exit(0);
  }
  close(ends[1]);
  std::FILE* const from = fdopen(ends[0], "r");
  sample s;
  if (std::fscanf(from, "%lf %lf %lf %lf", &m.before, &m.peak, &m.seconds, &m.result) == 4)
    while (std::fscanf(from, "%lf %lf", &s.seconds, &s.bytes) == 2) m.over_time.push_back(s);
  std::fclose(from);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) m.over_time.clear();
  return m;
}

}  // namespace bench
