#include <etch/io/csv_source.hpp>
#include <etch/io/idx_source.hpp>
#include <etch/io/loader.hpp>
#include <etch/io/npy_source.hpp>

#include "files.hpp"

#include <chrono>
#include <set>

namespace {

using namespace files;
using std::chrono::milliseconds;

/// `count` examples (n, 1000 + n), read at a pace, with a fault at one of them; counts what is read.
struct numbers {
  using example = tensor<int, 2>;
  std::int64_t examples;
  std::shared_ptr<std::atomic<int>> reads = std::make_shared<std::atomic<int>>(0);
  std::int64_t faulty = -1;
  milliseconds pace{0};

  std::int64_t count() const { return examples; }
  std::string name() const { return "numbers"; }
  void check() const {}
  void read(std::int64_t i, int* to) {
    if (i == faulty) error::raise("example " + std::to_string(i) + " is faulty");
    if (pace.count() > 0) std::this_thread::sleep_for(pace);
    ++*reads;
    to[0] = static_cast<int>(i), to[1] = 1000 + static_cast<int>(i);
  }
};

constexpr int batch = 4;

/// The examples of an epoch, batch by batch.
std::vector<std::vector<int>> epoch_of(auto& batches, std::int64_t expected_epoch) {
  std::vector<std::vector<int>> all;
  for (bool ends = false; !ends;) {
    auto const& b = batches.next();
    CHECK(b.epoch == expected_epoch);
    CHECK(b.index == static_cast<std::int64_t>(all.size()));
    ends = b.ends_epoch;
    all.emplace_back();
    for (int k = 0; k < batch; ++k) {
      int const n = b.template get<0>()(0, k), further = b.template get<0>()(1, k);
      if (k < b.count) all.back().push_back(n);
      else CHECK(n == 0);
      CHECK(further == (k < b.count ? 1000 + n : 0));
    }
  }
  return all;
}

TEST_CASE("every example comes once in an epoch, whatever their number") {
  for (std::int64_t count : {1, batch - 1, batch, batch + 1, 2 * batch, 5 * batch + 3})
    for (bool shuffle : {false, true})
      for (bool drop : {false, true}) {
        if (drop && count < batch) continue;
        auto batches = io::load_batches<batch>({.seed = 2, .shuffle = shuffle, .drop_last = drop}, numbers{count});
        std::int64_t const whole = count / batch, rest = count % batch;
        CHECK(batches.count() == count);
        CHECK(batches.batches_per_epoch() == whole + (rest > 0 && !drop));
        for (int epoch = 0; epoch < 3; ++epoch) {
          auto const all = epoch_of(batches, epoch);
          REQUIRE(static_cast<std::int64_t>(all.size()) == batches.batches_per_epoch());
          std::multiset<int> seen;
          for (std::size_t i = 0; i < all.size(); ++i) {
            CHECK(static_cast<std::int64_t>(all[i].size()) == (static_cast<std::int64_t>(i) < whole ? batch : rest));
            seen.insert(all[i].begin(), all[i].end());
          }
          CHECK(static_cast<std::int64_t>(std::set<int>(seen.begin(), seen.end()).size()) ==
                (drop ? whole * batch : count));
          CHECK(static_cast<std::int64_t>(seen.size()) == (drop ? whole * batch : count));
          if (!shuffle)
            for (int n = 0; n < static_cast<int>(seen.size()); ++n)
              CHECK(all[static_cast<std::size_t>(n / batch)][static_cast<std::size_t>(n % batch)] == n);
        }
      }
}

TEST_CASE("batches up to a bound count the examples that they have") {
  auto batches = io::load_batches<upto<batch>>({.shuffle = false}, numbers{batch + 3});
  auto const& first = batches.next();
  CHECK(first.get<0>().count() == batch);
  auto const& last = batches.next();
  CHECK(last.get<0>().count() == 3);
  CHECK(last.get<0>()(0, 2) == batch + 2);
  CHECK(last.ends_epoch);
}

TEST_CASE("the order follows from the seed, whoever is slow") {
  std::vector<std::vector<int>> orders[4];
  for (int run = 0; run < 4; ++run) {
    auto batches = io::load_batches<batch>({.seed = run == 3 ? 9u : 8u},
                                           numbers{.examples = 23, .pace = milliseconds(run == 1 ? 1 : 0)});
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (auto const& each : epoch_of(batches, epoch)) orders[run].push_back(each);
      if (run == 2) std::this_thread::sleep_for(milliseconds(5));
    }
  }
  CHECK(orders[0] == orders[1]);
  CHECK(orders[0] == orders[2]);
  CHECK(orders[0] != orders[3]);
  CHECK(orders[0][0] != orders[0][6]);  // the next epoch has another order
  // A run that goes on at a batch of an epoch sees what it would have seen.
  auto later = io::load_batches<batch>({.seed = 8, .first_batch = 9}, numbers{23});
  for (std::size_t i = 9; i < 18; ++i) {
    auto const& b = later.next();
    CHECK(b.epoch == static_cast<std::int64_t>(i / 6));
    CHECK(b.index == static_cast<std::int64_t>(i % 6));
    for (int k = 0; k < b.count; ++k) CHECK(b.get<0>()(0, k) == orders[0][i][static_cast<std::size_t>(k)]);
  }
}

TEST_CASE("the loaders of several ranks have the parts of one large batch") {
  for (bool drop : {false, true}) {
    auto one = io::load_batches<3 * batch>({.seed = 5, .drop_last = drop}, numbers{29});
    io::loader_options const o{.seed = 5, .drop_last = drop, .ranks = 3};
    auto options = [&](int rank) {
      auto mine = o;
      mine.rank = rank;
      return mine;
    };
    io::loader<batch, numbers> parts[] = {io::loader<batch, numbers>{options(0), numbers{29}},
                                          io::loader<batch, numbers>{options(1), numbers{29}},
                                          io::loader<batch, numbers>{options(2), numbers{29}}};
    for (int step = 0; step < 7; ++step) {
      auto const& whole = one.next();
      int at = 0;
      for (auto& each : parts) {
        auto const& part = each.next();
        CHECK(part.epoch == whole.epoch);
        CHECK(part.index == whole.index);
        CHECK(part.ends_epoch == whole.ends_epoch);
        for (int k = 0; k < part.count; ++k) CHECK(part.get<0>()(0, k) == whole.get<0>()(0, at++));
      }
      CHECK(at == whole.count);
    }
  }
}

TEST_CASE("the thread waits while both buffers are full") {
  numbers source{1000};
  auto const reads = source.reads;
  auto batches = io::load_batches<batch>({}, source);
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(*reads <= 2 * batch);
  batches.next();
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(*reads <= 2 * batch);  // the caller has one, the other is full
  auto const before = batches.next().get<0>();
  // A machine with other work may let the thread wait for long.
  for (int wait = 0; wait < 1000 && *reads < 3 * batch; ++wait) std::this_thread::sleep_for(milliseconds(10));
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(*reads == 3 * batch);
  CHECK(before(1, 0) == 1000 + before(0, 0));
}

TEST_CASE("a loader ends at any moment") {
  for (int pause = 0; pause < 20; ++pause) {
    auto batches = io::load_batches<batch>({}, numbers{.examples = 50, .pace = milliseconds(pause % 2)});
    for (int i = 0; i < pause % 5; ++i) batches.next();
    std::this_thread::sleep_for(std::chrono::microseconds(100 * pause));
  }
  // It does not wait for the batch that is being read.
  auto const start = std::chrono::steady_clock::now();
  {
    auto batches = io::load_batches<1000>({}, numbers{.examples = 1000, .pace = milliseconds(10)});
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
}

TEST_CASE("what a source throws arrives in the place of its batch, and again") {
  auto batches = io::load_batches<batch>({.shuffle = false}, numbers{.examples = 20, .faulty = 9});
  CHECK(batches.next().get<0>()(0, 3) == 3);
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(batches.next().get<0>()(0, 3) == 7);
  for (int i = 0; i < 3; ++i) CHECK(has(refusal([&] { batches.next(); }), "example 9 is faulty"));
}

TEST_CASE("settings that leave no batch, and sources that do not agree") {
  CHECK(has(refusal([] { io::load_batches<batch>({}, numbers{0}); }), "numbers: there are no examples"));
  CHECK(has(refusal([] { io::load_batches<batch>({.drop_last = true}, numbers{3}); }),
            "numbers: the 3 examples are no whole batch of 4"));
  CHECK(has(refusal([] { io::load_batches<batch>({}, numbers{3}, numbers{4}); }),
            "different numbers of examples: 3 in numbers, 4 in numbers"));
  CHECK(
      has(refusal([] { io::load_batches<batch>({.rank = 2, .ranks = 2}, numbers{3}); }), "a rank from 0 to ranks - 1"));
  CHECK(has(refusal([] { io::load_batches<batch>({.first_batch = -1}, numbers{3}); }), "is at least 0"));
}

TEST_CASE("images, labels and tables side by side") {
  folder const f;
  constexpr int count = 11;
  std::string images("\0\0\x08\x03\0\0\0\x0b\0\0\0\x02\0\0\0\x03", 16), labels("\0\0\x08\x01\0\0\0\x0b", 8),
      table = "a,b\n";
  for (int n = 0; n < count; ++n) {
    for (int p = 0; p < 6; ++p) images += static_cast<char>(6 * n + p);
    labels += static_cast<char>(n);
    table += std::to_string(n) + ".5," + std::to_string(-n) + "\n";
  }
  write(f / "images", bytes_of_text(images));
  write(f / "labels", bytes_of_text(labels));
  write(f / "table.csv", bytes_of_text(table));
  tensor<double, count> weights;
  for (int n = 0; n < count; ++n) weights(n) = n / 8.0;
  io::save_npy(f / "weights.npy", weights);

  auto batches = io::load_batches<batch>({.seed = 1}, io::idx_source<float, 3, 2, 1>(f / "images"),
                                         io::idx_source<int>(f / "labels"), io::csv_source<double, 2>(f / "table.csv"),
                                         io::npy_source<double>(f / "weights.npy"));
  int seen = 0;
  for (int step = 0; step < 6; ++step) {
    auto const& b = batches.next();
    auto const& [image, label, row, weight] = b.tensors;
    static_assert(std::is_same_v<decltype(image), tensor<float, 3, 2, 1, batch> const>);
    for (int k = 0; k < b.count; ++k) {
      int const n = label(k);
      CHECK(image(2, 1, 0, k) == static_cast<float>(6 * n + 5));
      CHECK(row(0, k) == n + 0.5);
      CHECK(row(1, k) == -n);
      CHECK(weight(k) == n / 8.0);
      seen += 1 << n;
    }
  }
  CHECK(seen == 2 * ((1 << count) - 1));
}

TEST_CASE("a file that is cut or written to while batches are read ends them with its sentence") {
  folder const f;
  for (bool const cut : {true, false}) {
    io::save_npy(f / "x.npy", filled<tensor<float, 2, 1000>>(1));
    std::this_thread::sleep_for(milliseconds(30));
    auto batches = io::load_batches<batch>({}, io::npy_source<float, 2>(f / "x.npy", {.batch_last = true}));
    batches.next();
    if (cut) fs::resize_file(f / "x.npy", 500);
    else {
      std::fstream out(f / "x.npy", std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(1000);
      out.put('z');
    }
    std::string text;
    for (int i = 0; i < 3 && text.empty(); ++i) text = refusal([&] { batches.next(); });
    CAPTURE(text);
    CHECK(has(text, cut ? "x.npy: at byte 500: the file has changed: it has 500 bytes, and had "
                        : "x.npy: at byte 0: the file has changed: it was written to since it was opened"));
  }
}

}  // namespace
