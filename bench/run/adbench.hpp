// adbench: reads the numbers of a file of ADBench's, where the folder is present.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace bench {

/// The numbers in the file; none where it is absent.
inline std::vector<double> adbench_file(std::string const& name) {
  std::vector<double> numbers;
  char const* const given = std::getenv("ETCH_SHARED");
  for (std::string const& shared :
       {std::string(given != nullptr ? given : ""), std::string("../shared"), std::string("../../shared")}) {
    std::ifstream in(shared + "/data/adbench/" + name);
    for (double x = 0; in >> x;) numbers.push_back(x);
    if (!numbers.empty()) break;
  }
  return numbers;
}

/// The numbers of such a file one after the other, behind the three sizes that it begins with.
class adbench_numbers {
 public:
  /// A file that does not have `count` numbers behind the sizes is taken for absent.
  adbench_numbers(std::string const& name, std::size_t count) : numbers_(adbench_file(name)) {
    if (numbers_.size() != next_ + count) numbers_.clear();
  }

  bool are_present() const { return !numbers_.empty(); }
  /// The next number; `otherwise` where the file is absent.
  double next_or(double otherwise) { return are_present() ? numbers_[next_++] : otherwise; }

 private:
  std::vector<double> numbers_;
  std::size_t next_ = 3;
};

}  // namespace bench
