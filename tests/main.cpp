// The test program's main: doctest, and a closing line that counts test cases.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

namespace {

struct closing_line : doctest::IReporter {
  explicit closing_line(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const& stats) override {
    std::printf("%u passed, %u failed\n", stats.numTestCasesPassingFilters - stats.numTestCasesFailed,
                stats.numTestCasesFailed);
  }
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};
REGISTER_LISTENER("closing_line", 1, closing_line);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  return context.run();
}
