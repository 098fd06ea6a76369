#include <etch/view/svg.hpp>

#include <etch/etch.hpp>

#include "rewrite/random_graph.hpp"
#include "view/markup.hpp"

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace etch;

namespace {

struct rectangle {
  long x, y, width, height;  // in tenths of a pixel
  std::string kind;
  bool meets(rectangle const& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
};

/// The value of an attribute in a start tag.
std::string attribute_in(std::string const& tag, std::string const& name) {
  std::size_t const begin = tag.find(" " + name + "=\"") + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}
long tenths(std::string const& number) {
  std::size_t const point = number.find('.');
  return std::stol(number.substr(0, point)) * 10 + std::stol(number.substr(point + 1));
}

/// The boxes of a picture: the rectangles with a title.
std::vector<rectangle> boxes_of(std::string const& svg) {
  std::vector<rectangle> boxes;
  std::string const before = "</title><rect";
  for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at + 1)) {
    std::string const tag = svg.substr(at + 8, svg.find("/>", at) - at - 8);
    auto const number = [&](char const* name) { return tenths(attribute_in(tag, name)); };
    boxes.push_back({number("x"), number("y"), number("width"), number("height"), attribute_in(tag, "class")});
  }
  return boxes;
}

std::string fault_of(memory_map_view map, std::string const& svg) {
  if (std::string const fault = markup::fault_of(svg); !fault.empty()) return fault;
  std::vector<rectangle> const boxes = boxes_of(svg);
  if (boxes.size() != map.boxes.size()) return "not one box for each buffer";
  long const width = tenths(attribute_in(svg.substr(0, svg.find('>')), "width"));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].width <= 0 || boxes[i].height < 0 || boxes[i].x < 760 || boxes[i].x + boxes[i].width > width)
      return "a box lies outside";
    for (std::size_t j = 0; j < i; ++j)
      if (boxes[i].meets(boxes[j])) return "two boxes overlap";
  }
  return "";
}

std::string picture_of(memory_map_view map) {
  return to_svg(map, {live_bytes(map), map.bytes},
                std::vector<box_caption>(map.boxes.size(), {"exp f32[4] 16 B", "a < b & \"c\"", "forward", "exp", ""}));
}

template <class P>
std::string picture_of_program() {
  return to_svg(*std::make_unique<P>());
}

using matrix_type = tensor<float, 32, 32>;
constexpr auto loss = [](auto w, auto x) { return sum(square(tanh(w * exp(w * x)))); };
using program_of_loss = decltype(compile(loss, matrix_type{}, matrix_type{}));
constexpr auto const& map_of_loss = memory_map_of<program_of_loss::executable>;

}  // namespace

TEST_CASE("the check of markup knows what is well-formed") {
  CHECK(markup::fault_of("<a b=\"1\" c=\"x &lt; y\"><d/>text &amp; more</a>\n") == "");
  CHECK(markup::fault_of("") == "no element");
  CHECK(markup::fault_of("<a>") == "an element is not closed");
  CHECK(markup::fault_of("<a></b>") == "an end tag that fits no start tag");
  CHECK(markup::fault_of("<a/><b/>") == "a second element");
  CHECK(markup::fault_of("<a>&</a>") == "an & without entity");
  CHECK(markup::fault_of("<a b=1/>") == "an attribute without quoted value");
  CHECK(markup::fault_of("<a b=\"1\"c=\"2\"/>") == "no space before an attribute");
  CHECK(markup::fault_of("<a b=\"1\" b=\"2\"/>") == "an attribute twice");
  CHECK(markup::fault_of("<a b=\"<\"/>") == "a < in text");
  CHECK(markup::fault_of("<a b=\"1/>") == "a quote is not closed");
  CHECK(markup::fault_of("<a") == "a tag is not closed");
  CHECK(markup::fault_of("text<a/>") == "text outside of all elements");
}

TEST_CASE("bytes go up, kernels to the right, and a box taken over ends where the next begins") {
  memory_box const boxes[] = {{1, 0, 64, 0, 1, false, true}, {2, 0, 64, 1, 3, true, false}, {3, 64, 128, 1, 2}};
  memory_map_view const map{boxes, 4, 192};
  std::string const svg = picture_of(map);
  CHECK(fault_of(map, svg) == "");
  std::vector<rectangle> const drawn = boxes_of(svg);
  CHECK(drawn[0].x + drawn[0].width == drawn[1].x);
  CHECK(drawn[0].y == drawn[1].y);
  CHECK(drawn[2].y + drawn[2].height == drawn[0].y);
  CHECK(drawn[2].height == 2 * drawn[0].height);
  CHECK(drawn[2].x == drawn[0].x + 2 * drawn[0].width / 3);  // one kernel's width, of a box one and a half wide
  CHECK(svg.find("a &lt; b &amp; &quot;c&quot;") != std::string::npos);
}

TEST_CASE("the lines of both bounds are drawn, and said in words where one lies far above") {
  memory_box const boxes[] = {{1, 0, 64, 0, 0}, {2, 0, 64, 1, 1}, {3, 0, 64, 2, 2}};
  memory_map_view const map{boxes, 3, 64};
  CHECK(to_svg(map, {64, 128}, std::vector<box_caption>(3)).find("without a plan: 128 B<") != std::string::npos);
  std::string const svg = to_svg(map, {64, 192}, std::vector<box_caption>(3));
  CHECK(svg.find("alive at once: 64 B<") != std::string::npos);
  CHECK(svg.find("without a plan: 192 B, above this picture<") != std::string::npos);
}

TEST_CASE("captions name values, and give bytes rounded") {
  std::string const svg = picture_of_program<program_of_loss>();
  CHECK(svg.find("exp = exp(matmul) : f32[32, 32]\n4 KiB at ") != std::string::npos);
  CHECK(svg.find("%") == std::string::npos);
}

TEST_CASE("the paper is not drawn, and no colour waits for a dark or a light page") {
  std::string const svg = picture_of_program<program_of_loss>();
  CHECK(svg.find("prefers-color-scheme") == std::string::npos);
  CHECK(svg.find("100%") == std::string::npos);
}

TEST_CASE("a map without buffers or kernels is a picture too") {
  CHECK(fault_of({{}, 0, 0}, picture_of({{}, 0, 0})) == "");
  CHECK(fault_of({{}, 3, 0}, picture_of({{}, 3, 0})) == "");
}

TEST_CASE("a long program has a wide picture, in which every kernel is seen") {
  sequence<memory_box> boxes;
  for (int k = 0; k < 2000; ++k) boxes.push_back({k, 64 * (k % 3), 64, k, k + 2});
  boxes.back().last = boxes[1998].last = 1999;
  memory_map_view const map{boxes, 2000, 192};
  CHECK(fault_of(map, picture_of(map)) == "");
}

TEST_CASE("the check of pictures notices boxes that overlap or are missing") {
  memory_box const boxes[] = {{1, 0, 128, 0, 1}, {2, 64, 64, 1, 2}};
  memory_map_view const map{boxes, 3, 128};
  CHECK(fault_of(map, picture_of(map)) == "two boxes overlap");
  memory_map_view const fewer{const_span(boxes).first(1), 3, 128};
  CHECK(fault_of(map, picture_of(fewer)) == "not one box for each buffer");
}

TEST_CASE("a program's picture shows every buffer once, the same on each drawing") {
  std::string const svg = picture_of_program<program_of_loss>();
  CHECK(fault_of(map_of_loss, svg) == "");
  CHECK(svg == picture_of_program<program_of_loss>());
  CHECK(svg.find("workspace: " + detail::rounded_bytes(program_of_loss::facts.workspace_bytes) + ", ") !=
        std::string::npos);
  auto const is = [](char const* kind) { return [=](rectangle const& r) { return r.kind == kind; }; };
  std::vector<rectangle> const boxes = boxes_of(svg);
  CHECK(std::ranges::any_of(boxes, is("saved")));
  CHECK(std::ranges::any_of(boxes, is("backward")));
  for (char const* needs_a_network : {"href", "url(", "@import"}) CHECK(svg.find(needs_a_network) == std::string::npos);
}

TEST_CASE("what the steps of a loop need is a box, captioned by the loop") {
  auto const recurrent = [](auto w, auto xs) {
    return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, zeros<32>(), xs)));
  };
  using program = decltype(compile<wrt<0>>(recurrent, matrix_type{}, matrix_type{}));
  std::string const svg = picture_of_program<program>();
  CHECK(fault_of(memory_map_of<program::executable>, svg) == "");
  CHECK(svg.find(" : 32 steps, last to first\nwhat its steps need, in kernel 3\n") != std::string::npos);
  CHECK(std::ranges::any_of(boxes_of(svg), [](rectangle const& r) { return r.kind == "scratch"; }));
}

TEST_CASE("a program whose values all stay in registers has a picture") {
  using small = decltype(compile([](auto x) { return sum(square(x)); }, matrix_type{}));
  CHECK(fault_of(memory_map_of<small::executable>, picture_of_program<small>()) == "");
}

TEST_CASE("on any graph the boxes of the picture are apart") {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    random_graphs::generator random(seed, random_graphs::style::smooth, seed % 3 == 0);
    auto s = random.make(5 + random.below(60));
    graph const g = pass::materialise(pass::assemble(pass::prune(pass::expand(s.g))));
    auto const kernels = pass::fuse(g);
    pass::buffer_plan const p = lowered::plan(g, kernels);
    memory_map const map = map_memory(g, kernels, p.offset, p.scratch, p.bytes);
    CHECK(fault_of(map, picture_of(map)) == "");
  }
}
