#include "contest.hpp"

#include "../../examples/heap_count.hpp"
#include "instructions.hpp"
#include "peak.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace bench {

namespace {

/// Bytes after `field` in /proc/self/status.
double status(std::string const& field) {
  std::string line;
  for (std::ifstream file("/proc/self/status"); std::getline(file, line);)
    if (line.starts_with(field + ":")) return 1024 * std::stod(line.substr(field.size() + 1));
  return 0;
}

/// How much memory at most came to what this process had while `run` ran, without the pages of its files.
double growth(std::function<void()> const& run) {
  std::ofstream("/proc/self/clear_refs") << 5;  // the most so far begins anew
  double const before = status("VmRSS"), code = status("RssFile");
  run();
  return std::max(0.0, status("VmHWM") - before - (status("RssFile") - code));
}

/// The kernels that OpenBLAS has chosen for this machine; empty where it is not loaded.
std::string openblas_kernels() {
  auto const name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? "" : name();
}

/// OpenBLAS's name for the best kernels that this machine can run; none where those for any machine are.
char const* best_openblas_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bf16")) return "Cooperlake";
  if (__builtin_cpu_supports("x86-64-v4")) return "SkylakeX";
  if (__builtin_cpu_supports("x86-64-v3")) return "Haswell";
#endif
  return nullptr;
}

/// Starts the program anew where rivals are held back: OpenBLAS, which libtorch uses too, takes a kernel for a smaller
/// machine if variables of the environment say so, or if it does not know the processor; and memory that a rival gives
/// back to the system after each call costs it page faults in the next one.
void free_rivals(char** argv) {
  constexpr char const *heap[] = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"}, *warm = "1073741824";
  constexpr char const* narrowing[] = {"OPENBLAS_L2_SIZE", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA",
                                       "ATEN_CPU_CAPABILITY"};
  bool changes = false;
  constexpr char const* kernels = "OPENBLAS_CORETYPE";
  if (char const *chosen = std::getenv(kernels), *best = best_openblas_kernels(); chosen != nullptr)
    changes = (best == nullptr || std::strcmp(chosen, best) != 0) && unsetenv(kernels) == 0;
  else if (best != nullptr && openblas_kernels() == "Prescott") changes = setenv(kernels, best, 1) == 0;
  for (char const* each : narrowing)
    if (std::getenv(each) != nullptr) changes = unsetenv(each) == 0 || changes;
  for (char const* each : heap)
    if (std::getenv(each) == nullptr) changes = setenv(each, warm, 1) == 0 || changes;
  if (changes) execv("/proc/self/exe", argv);  // returns only if it fails: then as before
}

/// Whether a call is worth stepping through.
bool is_short(contestant const& c) { return c.flops > 0 ? c.flops < 1e6 : c.bytes > 0 && c.bytes < 1e5; }

}  // namespace

double peak_bytes(std::function<void()> const& once) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    close(ends[0]);
    double taken = growth([] {});  // what measuring itself touches
    taken = growth(once);
    bool const sent = write(ends[1], &taken, sizeof taken) == sizeof taken;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  double taken = -1;
  if (read(ends[0], &taken, sizeof taken) != sizeof taken) taken = -1;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return taken;
}

double allocations(std::function<void()> const& once) {
  constexpr int calls = 4;
  if (heap::why_not_counted() != nullptr) return -1;
  once();
  long const before = heap::count();
  for (int i = 0; i < calls; ++i) once();
  return static_cast<double>(heap::count() - before) / calls;
}

int contest(int argc, char** argv, std::vector<contestant> const& all, std::function<bool()> const& check) {
  free_rivals(argv);
  if (std::string const kernels = openblas_kernels(); !kernels.empty())
    benchmark::AddCustomContext("openblas", kernels);
  char interleaved[] = "--benchmark_enable_random_interleaving=true", repetitions[] = "--benchmark_repetitions=20",
       summary[] = "--benchmark_display_aggregates_only=true", shortened[] = "--benchmark_min_time=0.05";
  std::vector<char*> arguments{argv[0], interleaved, repetitions, summary, shortened};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());

  std::vector<contestant> everyone = all;
  for (contestant const& p : peaks()) everyone.push_back(p);
  std::vector<double> memory, allocated, counted;
  for (contestant const& c : everyone) memory.push_back(peak_bytes(c.once));
  if (!check()) return 1;
  for (contestant const& c : everyone) allocated.push_back(allocations(c.once));
  for (contestant const& c : all) counted.push_back(is_short(c) ? instructions(c.once) : -1);
  counted.resize(everyone.size(), -1);
  for (std::size_t i = 0; i < everyone.size(); ++i) {
    contestant const& c = everyone[i];
    benchmark::RegisterBenchmark(
        c.name.c_str(),
        [c, bytes = memory[i], calls = allocated[i], steps = counted[i]](benchmark::State& state) {
          c.repeat(state);
          auto const rate = [](double n) {
            return benchmark::Counter(n * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
          };
          if (c.flops > 0) state.counters["GFLOP/s"] = rate(c.flops), state.counters["flops"] = c.flops;
          if (c.bytes > 0) state.counters["GB/s"] = rate(c.bytes), state.counters["bytes"] = c.bytes;
          if (c.workspace >= 0) state.counters["workspace"] = c.workspace;
          if (c.element > 0) state.counters["element"] = c.element;
          if (steps >= 0) state.counters["instructions"] = steps;
          if (calls >= 0) state.counters["allocations"] = calls;
          if (bytes >= 0) state.counters["peak_bytes"] = bytes;
        })
        ->Unit(c.unit)
        ->ComputeStatistics(
            "min", [](std::vector<double> const& times) { return *std::min_element(times.begin(), times.end()); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace bench
