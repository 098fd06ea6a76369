// page_text: the style and the script of a page.
#pragma once

#include <etch/base/namespace.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

inline constexpr auto page_style = R"(<style>
:root { color-scheme: light dark; --ink: #1d2126; --soft: #59616b; --paper: #fff; --panel: #f5f6f8; --rule: #d5d9de;
  --forward: #d7e7f8; --saved: #f8d98c; --backward: #d3ebd0; --given: #e9e4f5; --constant: #e6e6e6; --lit: #c01a70; }
@media (prefers-color-scheme: dark) {
:root { --ink: #e4e7eb; --soft: #a3abb5; --paper: #14171b; --panel: #1d2127; --rule: #3a4049;
  --forward: #1f3d5c; --saved: #6b4e05; --backward: #21492a; --given: #3a3158; --constant: #383c42; --lit: #ff8cc6; }
}
body { margin: 0 auto; padding: 1rem; max-width: 82rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0.3rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.3rem; }
p { margin: 0.3rem 0 0.8rem; max-width: 46rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.5rem; margin: 1rem 0; }
@media (min-width: 60rem) { .facts { grid-template-columns: repeat(5, 1fr); } }
.facts div { background: var(--panel); border-radius: 6px; padding: 0.4rem 0.7rem; }
.facts dt { color: var(--soft); font-size: 0.85rem; } .facts dd { margin: 0; font-weight: 600; }
.key span { display: inline-block; padding: 0.05rem 0.5rem; margin: 0 0.3rem 0.3rem 0; border-radius: 4px; }
.key .forward { background: var(--forward); } .key .saved { background: var(--saved); }
.key .backward { background: var(--backward); } .key .given { background: var(--given); }
.wide { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
.picture { padding: 0.6rem; } @media (max-width: 40rem) { .picture { padding: 0.1rem; } }
 .picture svg { display: block; max-width: none; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td { padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; } .n { text-align: right; white-space: nowrap; }
caption { text-align: left; padding: 0.3rem 0.6rem; color: var(--soft); }
.list { table-layout: fixed; min-width: 56rem; } .list td { overflow-wrap: anywhere; }
.list .c1 { width: 21%; } .list .c3 { width: 13%; } .list .c4 { width: 19%; } .list .c5 { width: 8%; } .list .c6 { width: 9%; }
.code { font-family: ui-monospace, monospace; } small { color: var(--soft); }
tr.saved td:first-child { border-left: 4px solid var(--saved); } tr.forward td:first-child { border-left: 4px solid var(--forward); }
tr.backward td:first-child { border-left: 4px solid var(--backward); } tr.given td:first-child { border-left: 4px solid var(--given); }
tr.constant td:first-child { border-left: 4px solid var(--constant); } tr.step td:first-child { padding-left: 1.8rem; }
details { margin: 0.4rem 0; } summary { cursor: pointer; padding: 0.3rem 0.6rem; background: var(--panel); border-radius: 6px; }
summary span { color: var(--soft); font-size: 0.875rem; }
.graph text { font: 12px system-ui, sans-serif; fill: var(--ink); } .graph .side { font-size: 14px; font-weight: 600; }
.graph .title { font-weight: 600; } .graph .type, .graph .of { font-size: 11px; } .graph .type, .graph .mark { text-anchor: end; }
.graph .name { font-weight: 600; } .graph .mark { font-size: 11px; font-weight: 600; } .graph .type { fill: var(--soft); }
.graph rect { stroke: var(--rule); } .graph rect.kernel { fill: var(--panel); }
.graph rect.forward { fill: var(--forward); } .graph rect.saved { fill: var(--saved); stroke: var(--soft); }
.graph rect.backward { fill: var(--backward); } .graph rect.given { fill: var(--given); }
.edge { fill: none; stroke: var(--soft); stroke-opacity: 0.75; pointer-events: none; } .edge.across { stroke-dasharray: 5 3; }
marker path { fill: var(--soft); }
main .memory text { fill: var(--soft); } main .memory .heading { fill: var(--ink); }
tr.lit td, summary.lit { background: var(--panel); } tr.lit td:first-child { border-left-color: var(--lit); }
summary.lit { box-shadow: inset 4px 0 var(--lit); }
.graph .lit > rect, .graph .lit > a > rect, .memory .lit rect { stroke: var(--lit); stroke-width: 2.5; }
.memory .lit rect { fill: #f79ccb; }
.edge.lit { stroke: var(--lit); stroke-opacity: 1; stroke-width: 2; }
:target td, summary:target { background: var(--panel); outline: 2px solid var(--lit); outline-offset: -2px; }
a:focus-visible rect, g:focus-visible rect { stroke: var(--lit); stroke-width: 2.5; } a:focus, g:focus { outline: none; }
tr:focus-visible, summary:focus-visible { outline: 2px solid var(--lit); outline-offset: -2px; }
</style>
)";

/// The script lights what shares a word of `data-link` with the element under the pointer or in focus.
inline constexpr auto page_script = R"(<script>
(function () {
  var byWord = new Map(), lit = [];
  document.querySelectorAll('[data-link]').forEach(function (each) {
    each.dataset.link.split(' ').forEach(function (word) {
      if (!byWord.has(word)) byWord.set(word, []);
      byWord.get(word).push(each);
    });
  });
  function light(event) {
    var from = event.target.closest ? event.target.closest('[data-link]') : null;
    lit.forEach(function (each) { each.classList.remove('lit'); });
    lit = [];
    if (!from) return;
    from.dataset.link.split(' ').forEach(function (word) {
      byWord.get(word).forEach(function (each) { each.classList.add('lit'); lit.push(each); });
    });
  }
  function open() {
    var to = document.getElementById(location.hash.slice(1)), around = to ? to.closest('details') : null;
    if (!around) return;
    around.open = true;
    to.scrollIntoView({ block: 'center' });
  }
  document.addEventListener('pointerover', light);
  document.addEventListener('focusin', light);
  window.addEventListener('hashchange', open);
  open();
  document.body.dataset.ready = 'yes';
})();
</script>
)";

}  // namespace detail
ETCH_NAMESPACE_END
