// page: a compiled program as a page for a browser: its graph, its memory, its statements. Docs: memory.md.
#pragma once

#include <etch/view/graph_picture.hpp>
#include <etch/view/page_text.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// An element whose content is text.
inline std::string element_with(std::string const& tag, std::string const& text, std::string const& attributes = "") {
  return "<" + tag + attributes + ">" + escaped(text) + "</" + tag + ">";
}
/// A cell with a rounded number, and the exact one for programs; empty for 0.
inline std::string number_cell(std::int64_t exact, std::string const& rounded, char const* name) {
  return "<td class=\"n\" data-" + std::string(name) + "=\"" + std::to_string(exact) + "\">" +
         (exact == 0 ? "" : rounded) + "</td>";
}

inline std::string page_row(stated_value const& v, bool is_step) {
  std::string where = v.place;
  if (v.saved > 0) where += ", saved";
  for (std::size_t i = 0; i < v.again.size(); ++i)
    where += (i == 0 ? "; again in kernel " : ", ") + std::to_string(v.again[i]);
  std::string row = "<tr id=\"statement-" + v.key + "\" class=\"" + v.kind + (is_step ? " step" : "") + "\"" +
                    (v.saved > 0 ? " data-saved=\"" + std::to_string(v.saved) + "\"" : "") +
                    " tabindex=\"0\" data-link=\"" + link_of(v) + "\"><td><b>" + escaped(v.name) + "</b> <small>%" +
                    v.key + "</small></td>" + element_with("td", v.expression, " class=\"code\"") +
                    element_with("td", v.type, " class=\"code\"") + element_with("td", where);
  if (is_step)
    row += element_with("td", v.flops == 0 ? "" : rounded_count(v.flops) + " a step", " class=\"n\"") + "<td></td>";
  else
    row +=
        number_cell(v.flops, rounded_count(v.flops), "flops") + number_cell(v.bytes, rounded_bytes(v.bytes), "bytes");
  row += "</tr>\n";
  for (stated_value const& each : v.steps) row += page_row(each, true);
  return row;
}

/// The values of one kernel as a table that can be folded.
inline std::string page_group(outline const& o, std::vector<int> const& ids, std::string const& id,
                              std::string const& words, std::string const& link, bool open) {
  if (ids.empty()) return "";
  std::int64_t flops = 0;
  std::string names;
  for (int each : ids) {
    stated_value const& v = o.values[static_cast<std::size_t>(each)];
    flops += v.flops;
    if (v.is_computed) names += (names.empty() ? "" : ", ") + v.name;
  }
  std::string text = "<details" + std::string(open ? " open=\"open\"" : "") + "><summary id=\"group-" + id + "\"" +
                     (link.empty() ? "" : " data-link=\"" + link + "\"") + "><b>" + escaped(words) + "</b> <span>" +
                     escaped(cut(names, 70)) + (names.empty() ? "" : "; ") + std::to_string(ids.size()) +
                     (ids.size() == 1 ? " statement" : " statements") +
                     (flops == 0 ? "" : ", " + rounded_count(flops) + " flops") + "</span></summary>\n" +
                     "<div class=\"wide\"><table class=\"list\"><thead><tr><th scope=\"col\" class=\"c1\">value</th>"
                     "<th scope=\"col\">is computed as</th><th scope=\"col\" class=\"c3\">type</th>"
                     "<th scope=\"col\" class=\"c4\">lies</th><th scope=\"col\" class=\"c5 n\">flops</th>"
                     "<th scope=\"col\" class=\"c6 n\">bytes</th></tr></thead><tbody>\n";
  for (int each : ids) text += page_row(o.values[static_cast<std::size_t>(each)], false);
  return text + "</tbody></table></div></details>\n";
}

inline std::string page_statements(outline const& o, program_facts const& f, bool open) {
  std::string text =
      "<h2 id=\"statements\">Statements</h2>\n<p>Every kernel with the statements that it computes, in the "
      "order in which kernels run. Bytes are those of a buffer for this value alone; the plan lets buffers "
      "share the workspace. Views, arguments and results need none.</p>\n";
  text += page_group(o, o.others, "others", "Arguments and what no kernel computes", "", open);
  for (std::size_t k = 0; k < o.kernels.size(); ++k)
    text += page_group(o, o.kernels[k].listed, std::to_string(k),
                       "Kernel " + std::to_string(k) + ": " + o.kernels[k].title, link_of(o, k), open);
  std::int64_t flops = 0, bytes = 0, saved = 0;
  for (stated_value const& v : o.values) flops += v.flops, bytes += v.bytes, saved += v.saved;
  auto const row = [](char const* what, std::string const& number) {
    return "<tr><th scope=\"row\">" + std::string(what) + "</th><td class=\"n\">" + number + "</td></tr>\n";
  };
  return text + "<div class=\"wide\"><table><caption>All statements</caption><tbody>\n" +
         row("flops", rounded_count(flops)) + row("bytes, every value in memory of its own", rounded_bytes(bytes)) +
         row("of these saved for the gradients", rounded_bytes(saved)) +
         row("workspace, as planned", rounded_bytes(f.workspace_bytes)) + "</tbody></table></div>\n";
}

inline std::string page_memory(anatomy const& a) {
  std::string text =
      "<h2 id=\"memory\">Memory</h2>\n<p>Kernels run to the right, bytes go up. Each box is a buffer of the "
      "workspace, as wide as its life.</p>\n";
  if (a.memory.boxes.empty()) return text + "<p>This program needs no workspace: all values stay in registers.</p>\n";
  std::vector<box_caption> captions = captions_of(a);
  std::string rows;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    memory_box const& b = a.memory.boxes[i];
    std::string const n = std::to_string(i), link = " data-link=\"b" + n + "\"";
    captions[i].attributes = " id=\"buffer-" + n + "\"" + link;
    rows += "<tr tabindex=\"0\"" + link + ">" + element_with("td", captions[i].name) +
            element_with("td", captions[i].kind == "scratch" ? "while a kernel runs" : captions[i].kind) +
            element_with("td", rounded_bytes(b.bytes), " class=\"n\"") +
            element_with("td", std::to_string(b.offset), " class=\"n\"") +
            element_with("td", std::to_string(b.first), " class=\"n\"") +
            element_with("td", std::to_string(b.last), " class=\"n\"") + "</tr>\n";
  }
  return text + "<div class=\"wide picture\" tabindex=\"0\" role=\"group\" aria-label=\"Memory over kernels\">\n" +
         memory_picture(a.memory, a.bounds).draw(heading_of(a.memory), captions, false) +
         "</div>\n<details><summary>The same as a table</summary><div class=\"wide\"><table><thead><tr>"
         "<th scope=\"col\">buffer of</th><th scope=\"col\">kind</th><th scope=\"col\" class=\"n\">size</th>"
         "<th scope=\"col\" class=\"n\">offset in bytes</th><th scope=\"col\" class=\"n\">from kernel</th>"
         "<th scope=\"col\" class=\"n\">to kernel</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></details>\n";
}

inline std::string page_facts(anatomy const& a, outline const& o) {
  auto const fact = [](char const* what, std::string const& number) {
    return "<div>" + element_with("dt", what) + element_with("dd", number) + "</div>\n";
  };
  program_facts const& f = a.facts;
  return "<dl class=\"facts\">\n" + fact("workspace", rounded_bytes(f.workspace_bytes)) +
         fact("saved for the gradients", rounded_bytes(f.saved_bytes)) +
         fact("alive at once", rounded_bytes(a.bounds.live)) +
         fact("without a plan", rounded_bytes(a.bounds.unplanned)) + fact("flops of a call", rounded_count(f.flops)) +
         fact("kernels", std::to_string(o.kernels.size())) + fact("statements", std::to_string(o.statements)) +
         fact("the object", rounded_bytes(f.object_bytes)) +
         fact("compiled", f.optimised ? "with optimisation" : "without: use -O2") +
         fact("vector registers", f.register_bytes == 0 ? "none" : widths_of_registers(f.register_bytes)) + "</dl>\n";
}

}  // namespace detail

namespace view {

/// Statements, those in loops included, from which on a page shows kernels without their values at first.
inline constexpr int large_page = 200;

inline std::string page(anatomy const& a, std::string const& title) {
  detail::outline const o = detail::outliner(a).run();
  bool const is_large = o.statements > large_page;
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n" +
         detail::element_with("title", title) + "\n" + detail::page_style + "</head><body>\n<main>\n" +
         detail::element_with("h1", title) + "\n" + detail::page_facts(a, o) +
         "<h2 id=\"graph\">Graph</h2>\n<p>Boxes are kernels, with the values that they compute. Views and constants "
         "are not "
         "drawn. Arguments stand above, and are named where they are used." +
         (is_large ? " The program is large: a kernel leads to the list of its statements." : "") +
         "</p>\n<p class=\"key\"><span class=\"given\">argument</span><span class=\"forward\">forward</span>"
         "<span class=\"saved\">forward, saved for backward</span><span class=\"backward\">backward</span></p>\n"
         "<div class=\"wide picture\" tabindex=\"0\" role=\"group\" aria-label=\"Graph of the program\">\n" +
         detail::graph_picture(o, is_large).draw() + "</div>\n" + detail::page_memory(a) +
         detail::page_statements(o, a.facts, !is_large) + "</main>\n" + detail::page_script + "</body></html>\n";
}

/// A compiled program as one HTML page, which needs nothing else and no network: the facts, the graph with its kernels,
/// forward beside backward, the memory plan, and tables of all buffers and statements. What belongs together is lit
/// under the pointer and in focus. Beyond `large_page` statements kernels are drawn without their values, and
/// their tables are folded. Allocates; throws only `std::bad_alloc`.
template <compiled_program P>
std::string page(P const& program, std::string const& title = "A compiled program") {
  return page(anatomy_of(program), title);
}

}  // namespace view
ETCH_NAMESPACE_END
