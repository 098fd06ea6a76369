#include <etch/view/page.hpp>

#include <etch/etch.hpp>

#include "view/markup.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>

using namespace etch;

namespace {

template <class T>
struct network {
  nn::dense<T, 16, 32> hidden;
  nn::dense<T, 32, 8> output;
  ETCH_MEMBERS(network, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
constexpr auto network_loss = [](auto model, auto x, auto labels) {
  return nn::softmax_cross_entropy(model(x), labels);
};
using network_program = decltype(compile(network_loss, network<float>{}, tensor<float, 16, 64>{}, tensor<int, 64>{}));

constexpr auto recurrent = [](auto w, auto xs) {
  return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, zeros<16>(), xs)));
};
using recurrent_program = decltype(compile<wrt<0>>(recurrent, tensor<float, 16, 16>{}, tensor<float, 16, 8>{}));

constexpr auto deep = [](auto weights, auto x) {
  for (auto w : weights) x = tanh(w * x);
  return sum(square(x));
};
using deep_program = decltype(compile<wrt<0>>(deep, std::array<tensor<float, 8, 8>, 26>{}, tensor<float, 8, 8>{}));

constexpr auto small = [](auto x) { return sum(square(x)); };
using small_program = decltype(compile(small, tensor<double, 4>{}));

constexpr auto parts = [](auto x) {
  auto const [a, b] = split<0, 2>(exp(x * x));
  return std::tuple{sum(a * tanh(transpose(b))), concat<0>(a, exp(b))};
};
using parts_program = decltype(compile(parts, tensor<float, 32, 32>{}));

template <class P>
std::string page_of(std::string const& title = "A compiled program") {
  return view::page(*std::make_unique<P>(), title);
}

std::size_t count_of(std::string const& text, std::string const& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The values of all attributes of a name.
std::vector<std::string> values_of(std::string const& html, std::string const& attribute) {
  std::vector<std::string> values;
  std::string const before = " " + attribute + "=\"";
  for (std::size_t at = html.find(before); at != std::string::npos; at = html.find(before, at + 1)) {
    std::size_t const begin = at + before.size();
    values.push_back(html.substr(begin, html.find('"', begin) - begin));
  }
  return values;
}
std::int64_t total_of(std::string const& html, std::string const& attribute) {
  std::int64_t total = 0;
  for (std::string const& each : values_of(html, attribute)) total += std::stoll(each);
  return total;
}

/// The fault of a page, if any: markup, ids, links to ids, and what would need a network.
std::string fault_of(std::string const& html) {
  std::string const head = "<!DOCTYPE html>\n";
  if (!html.starts_with(head)) return "not a page";
  if (std::string const fault = markup::fault_of(html.substr(head.size())); !fault.empty()) return fault;
  std::set<std::string> ids;
  for (std::string const& id : values_of(html, "id"))
    if (!ids.insert(id).second) return "the id " + id + " twice";
  for (std::string const& to : values_of(html, "href"))
    if (!to.starts_with("#") || !ids.contains(to.substr(1))) return "a link to " + to + ", which is nowhere";
  for (char const* outside : {"http", "src=", "@import", "<link"})
    if (html.find(outside) != std::string::npos) return std::string("it asks for something: ") + outside;
  if (count_of(html, "<h1>") != 1) return "not one heading of the page";
  return "";
}

template <class P>
void check_page() {
  std::string const html = page_of<P>();
  anatomy const a = anatomy_of(*std::make_unique<P>());
  CHECK(fault_of(html) == "");
  for (std::size_t k = 0; k < a.kernels.size(); ++k) {
    CAPTURE(k);
    CHECK(count_of(html, "id=\"kernel-" + std::to_string(k) + "\"") == 1);
    CHECK(count_of(html, "id=\"group-" + std::to_string(k) + "\"") == 1);
  }
  CHECK(count_of(html, "id=\"kernel-") == a.kernels.size());
  for (std::size_t b = 0; b < a.memory.boxes.size(); ++b)
    CHECK(count_of(html, "id=\"buffer-" + std::to_string(b) + "\"") == 1);
  CHECK(count_of(html, "id=\"buffer-") == a.memory.boxes.size());
  for (int id = 0; id < a.graph.size(); ++id) CHECK(count_of(html, "id=\"statement-" + std::to_string(id) + "\"") == 1);
  CHECK(total_of(html, "data-flops") == P::facts.flops);
  CHECK(total_of(html, "data-bytes") == P::facts.unplanned_bytes);
  CHECK(total_of(html, "data-saved") == P::facts.saved_bytes);
}

}  // namespace

TEST_CASE("the check of pages notices what is wrong") {
  std::string const head = "<!DOCTYPE html>\n";
  CHECK(fault_of(head + "<html><h1>a</h1></html>") == "");
  CHECK(fault_of("<html/>") == "not a page");
  CHECK(fault_of(head + "<html><p></html>") == "an end tag that fits no start tag");
  CHECK(fault_of(head + "<html><p id=\"a\"/><p id=\"a\"/></html>") == "the id a twice");
  CHECK(fault_of(head + "<html><a href=\"#b\"/></html>") == "a link to #b, which is nowhere");
  CHECK(fault_of(head + "<html><img src=\"a\"/></html>") == "it asks for something: src=");
  CHECK(fault_of(head + "<html/>") == "not one heading of the page");
}

TEST_CASE("a page shows every kernel, buffer and statement once, and its numbers add up to the facts") {
  check_page<network_program>();
  check_page<recurrent_program>();
  check_page<deep_program>();
  check_page<small_program>();
  check_page<parts_program>();
}

TEST_CASE("values are named by their operation and by the user's members") {
  std::string const html = page_of<network_program>("Digits & more");
  for (char const* text :
       {"<h1>Digits &amp; more</h1>", "<title>Digits &amp; more</title>", "<b>hidden.weight</b>", "<b>argument 1</b>",
        "<b>tanh</b>", "<b>gradient output.bias</b>", "matmul(hidden.weight, argument 1)", "lang=\"en\""})
    CHECK_MESSAGE(html.find(text) != std::string::npos, text);
}

TEST_CASE("every computed value is drawn in the kernel that computes it") {
  anatomy const a = anatomy_of(*std::make_unique<network_program>());
  std::string const html = page_of<network_program>();
  for (int id = 0; id < a.graph.size(); ++id)
    CHECK(count_of(html, " id=\"node-" + std::to_string(id) + "\"") ==
          (pass::is_computed(a.graph[id]) || a.values[static_cast<std::size_t>(id)].given));
}

TEST_CASE("statement, node and buffer of a value are linked to each other") {
  std::string const html = page_of<network_program>();
  anatomy const a = anatomy_of(*std::make_unique<network_program>());
  for (std::size_t b = 0; b < a.memory.boxes.size(); ++b) {
    if (a.memory.boxes[b].node < 0) continue;
    std::string const node = std::to_string(a.memory.boxes[b].node), link = "v" + node + " b" + std::to_string(b);
    CHECK(html.find("id=\"node-" + node + "\" data-link=\"" + link + "\"") != std::string::npos);
    CHECK(html.find("id=\"buffer-" + std::to_string(b) + "\" data-link=\"b" + std::to_string(b) + "\"") !=
          std::string::npos);
  }
}

TEST_CASE("the steps of a loop are drawn in it and listed under it") {
  std::string const html = page_of<recurrent_program>();
  for (char const* text : {"<b>tanh, all steps</b>", "loop of 8 steps", " a step</td>", "slice of argument 1"})
    CHECK_MESSAGE(html.find(text) != std::string::npos, text);
}

TEST_CASE("gradients stand on the right also where a loop over strips leaves them with the value") {
  auto const wide = [](auto w, auto x) { return sum(exp(w * x)); };
  using program = decltype(compile<wrt<0>>(wide, tensor<double, 512, 256>{}, tensor<double, 256, 4096>{}));
  std::string const html = page_of<program>();
  CHECK(fault_of(html) == "");
  CHECK(html.find("backward, upward") != std::string::npos);
  CHECK(total_of(html, "data-flops") == program::facts.flops);
}

TEST_CASE("parts of a join that is saved are marked as saved") {
  auto const joined = [](auto w, auto x) {
    return sum(square(w * concat<0>(exp(slice<0, 0, 16>(x)), tanh(slice<0, 16, 16>(x)))));
  };
  using program = decltype(compile(joined, tensor<float, 32, 32>{}, tensor<float, 32, 32>{}));
  check_page<program>();
  CHECK(count_of(page_of<program>(), "<rect class=\"saved\"") > 1);
}

TEST_CASE("of a large program kernels are drawn without their values, and lists are folded") {
  std::string const html = page_of<deep_program>(), few = page_of<network_program>();
  CHECK(deep_program::facts.nodes > view::large_page);
  CHECK(html.find("<details open") == std::string::npos);
  CHECK(few.find("<details open") != std::string::npos);
  CHECK(count_of(html, "id=\"node-") == 27);  // the arguments
}

TEST_CASE("a program without workspace says so in words") {
  std::string const html = page_of<small_program>();
  CHECK(html.find("This program needs no workspace") != std::string::npos);
}
