// Compares what a shim declares by hand with the library's own header: a difference is an error of
// the compiler. In C++, since a template can take an enumeration for the integer of its size, as
// which the shims declare it.
#pragma once
#include <stddef.h>

// Whether two types are the same. The structures of the shims have been given the library's names.
template <typename Ours, typename Theirs> constexpr bool same = [] {
  if constexpr (__is_enum(Theirs)) return __is_integral(Ours) && sizeof(Ours) == sizeof(Theirs);
  return __is_same(Ours, Theirs);
}();
template <typename Ours, typename Theirs>
constexpr bool same<const Ours, const Theirs> = same<Ours, Theirs>;
template <typename Ours, typename Theirs>
constexpr bool same<Ours *, Theirs *> = same<Ours, Theirs>;
// A pointer to what no caller looks into needs no type.
template <typename Theirs> constexpr bool same<void *, Theirs *> = !__is_const(Theirs);
template <typename Theirs> constexpr bool same<const void *, Theirs *> = __is_const(Theirs);
template <typename Ours, typename Theirs, typename... OurParameters, typename... TheirParameters>
constexpr bool same<Ours (*)(OurParameters...), Theirs (*)(TheirParameters...)> = [] {
  if constexpr (sizeof...(OurParameters) == sizeof...(TheirParameters))
    return same<Ours, Theirs> && (same<OurParameters, TheirParameters> && ...);
  return false;
}();

// A function of a shim's list.
#define SAME_FUNCTION(result, name, parameters) \
  static_assert(same<result(*) parameters, decltype(&name)>, #name);
// A member of the same type at the same place of a structure.
#define SAME_MEMBER(ours, our_member, theirs, their_member) \
  static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member), #their_member); \
  static_assert( \
      same<decltype(ours::our_member), decltype(theirs::their_member)>, #their_member);
