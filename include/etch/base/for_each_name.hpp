// ETCH_DETAIL_FOR_EACH_NAME: applies a macro to each of up to 130 names, or says that they are more.
#pragma once

#include <etch/base/namespace.hpp>

// A macro is not expanded within itself, so each step leaves `AGAIN ()` behind, which becomes the next step when what
// it stands in is scanned again. One step is two names and one scan; ETCH_DETAIL_SCAN scans 65 times,
// ETCH_DETAIL_SCAN_MORE oftener.
#define ETCH_DETAIL_PARENTHESES ()
#define ETCH_DETAIL_SCAN_1(...) __VA_ARGS__
#define ETCH_DETAIL_SCAN_5(...) \
  ETCH_DETAIL_SCAN_1(ETCH_DETAIL_SCAN_1(ETCH_DETAIL_SCAN_1(ETCH_DETAIL_SCAN_1(__VA_ARGS__))))
#define ETCH_DETAIL_SCAN_21(...) \
  ETCH_DETAIL_SCAN_5(ETCH_DETAIL_SCAN_5(ETCH_DETAIL_SCAN_5(ETCH_DETAIL_SCAN_5(__VA_ARGS__))))
#define ETCH_DETAIL_SCAN(...) ETCH_DETAIL_SCAN_21(ETCH_DETAIL_SCAN_21(ETCH_DETAIL_SCAN_21(__VA_ARGS__)))
#define ETCH_DETAIL_SCAN_MORE(...) \
  ETCH_DETAIL_SCAN_21(ETCH_DETAIL_SCAN_21(ETCH_DETAIL_SCAN_21(ETCH_DETAIL_SCAN_21(__VA_ARGS__))))

#define ETCH_DETAIL_EACH(f, s, name, ...) f(s, name) __VA_OPT__(ETCH_DETAIL_EACH_SECOND(f, s, __VA_ARGS__))
#define ETCH_DETAIL_EACH_SECOND(f, s, name, ...) \
  f(s, name) __VA_OPT__(ETCH_DETAIL_EACH_AGAIN ETCH_DETAIL_PARENTHESES(f, s, __VA_ARGS__))
#define ETCH_DETAIL_EACH_AGAIN() ETCH_DETAIL_EACH

#define ETCH_DETAIL_DROP(name, ...) __VA_OPT__(ETCH_DETAIL_DROP_SECOND(__VA_ARGS__))
#define ETCH_DETAIL_DROP_SECOND(name, ...) __VA_OPT__(ETCH_DETAIL_DROP_AGAIN ETCH_DETAIL_PARENTHESES(__VA_ARGS__))
#define ETCH_DETAIL_DROP_AGAIN() ETCH_DETAIL_DROP

#define ETCH_DETAIL_APPLY(f, s, ...) __VA_OPT__(ETCH_DETAIL_SCAN_MORE(ETCH_DETAIL_EACH(f, s, __VA_ARGS__)))
#define ETCH_DETAIL_APPLY_NONE(f, s, ...)
#define ETCH_DETAIL_PASTE(a, b) ETCH_DETAIL_PASTE_EXPANDED(a, b)
#define ETCH_DETAIL_PASTE_EXPANDED(a, b) a##b
#define ETCH_DETAIL_NONE_IF_ANY(...) ETCH_DETAIL_PASTE(ETCH_DETAIL_APPLY, __VA_OPT__(_NONE))
#define ETCH_DETAIL_REST(...) ETCH_DETAIL_SCAN(ETCH_DETAIL_DROP(__VA_ARGS__))

/// `f(s, name)` for every name, one after the other; nothing where they are too many.
#define ETCH_DETAIL_FOR_EACH_NAME(f, s, ...) ETCH_DETAIL_NONE_IF_ANY(ETCH_DETAIL_REST(__VA_ARGS__))(f, s, __VA_ARGS__)
/// Whether they are.
#define ETCH_DETAIL_TOO_MANY_NAMES(...) ETCH_DETAIL_ANY(ETCH_DETAIL_REST(__VA_ARGS__))
#define ETCH_DETAIL_ANY(...) (0 __VA_OPT__(+1) > 0)
