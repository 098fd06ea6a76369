// why_not_finite: the statement of a program for which its results or gradients are not finite at some arguments. For
// debugging; it allocates. With ETCH_CHECK_FINITE every call asks. Docs: errors.md.
#pragma once

#include <etch/compile/call_names.hpp>
#include <etch/compile/origin.hpp>
#include <etch/compile/program.hpp>
#include <etch/compile/wrt_members.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

template <class Parts, class Executable, class Wrt, class... A>
std::string why_not_finite(std::type_identity<program<Executable, Wrt, A...>>, A const&... arguments) {
  etch::run::ranges<(pass::program_leaf_count<A>() + ... + 0)> found;
  std::size_t next = 0;
  (etch::run::append_leaves<A>(found, next, arguments), ...);
  auto const count = etch::run::entries_that_count<true>::of<A...>(arguments...);
  std::vector<std::byte const*> leaves{count.where()};
  for (std::size_t i = 0; i < next; ++i) leaves.push_back(found[i].first);
  using names = etch::run::call_names<Wrt, Parts, A...>;
  return etch::run::why_not_finite(etch::run::observed_call::of<Executable, names>(leaves.data() + 1, nullptr, false));
}

}  // namespace detail

/// Why the value, a result or a gradient of a program is not finite at these arguments, which it is called with: the
/// first statement that makes infinities or NaN of finite operands, with their ranges, or the argument that is not
/// finite. Empty where all are finite. Statements are those of `to_text`; they are computed one by one, without the
/// program's machine code.
template <class Executable, int... I, class... A>
std::string why_not_finite(program<Executable, wrt<I...>, A...> const&, std::type_identity_t<A> const&... arguments) {
  return detail::why_not_finite<detail::no_parts>(std::type_identity<program<Executable, wrt<I...>, A...>>{},
                                                  arguments...);
}
template <class Program, int Position, class Of, member_path... Path, class... Given>
std::string why_not_finite(detail::program_of_members<Program, Position, Of, Path...> const&,
                           Given const&... arguments) {
  auto const& from = std::get<Position>(std::tie(arguments...));
  return detail::why_not_finite<detail::members_as_parts<Position, Path...>>(
      std::type_identity<Program>{}, detail::part_of<Of, Path>(from)..., arguments...);
}

ETCH_NAMESPACE_END
