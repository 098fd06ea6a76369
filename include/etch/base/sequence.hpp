// sequence, const_span, fixed: the containers of the passes. They do what std::vector, std::span and
// std::array do, at a fraction of the steps: libstdc++ checks every subscript during constant evaluation, and
// clang allows one million steps for a whole pass.
#pragma once

#include <etch/base/spare_memory.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

ETCH_NAMESPACE_BEGIN

/// `N` values; an aggregate, and fit to be part of a template argument.
template <class T, int N>
struct fixed {
  T entry[N == 0 ? 1 : N]{};

  constexpr T& operator[](std::size_t i) { return entry[i]; }
  constexpr T const& operator[](std::size_t i) const { return entry[i]; }
  constexpr T* begin() { return entry; }
  constexpr T* end() { return entry + N; }
  constexpr T const* begin() const { return entry; }
  constexpr T const* end() const { return entry + N; }
  constexpr T const* data() const { return entry; }
  static constexpr std::size_t size() { return N; }
  friend constexpr bool operator==(fixed const&, fixed const&) = default;
};
template <class T, class... Rest>
fixed(T, Rest...) -> fixed<T, 1 + static_cast<int>(sizeof...(Rest))>;

template <class T>
class sequence;

/// Read access to contiguous values that somebody else stores.
template <class T>
struct const_span {
  T const* start = nullptr;
  std::size_t count = 0;

  constexpr const_span() = default;
  constexpr const_span(T const* from, std::size_t n) : start(from), count(n) {}
  template <class Range>
    requires(!std::is_same_v<std::remove_cvref_t<Range>, const_span> &&
             requires(Range const& r) {
               { r.data() } -> std::convertible_to<T const*>;
               r.size();
             })
  constexpr const_span(Range const& range) : start(range.data()), count(range.size()) {}
  constexpr const_span(sequence<T> const& all) : start(all.entry), count(all.count) {}
  template <std::size_t N>
  constexpr const_span(T const (&array)[N]) : start(array), count(N) {}

  constexpr T const& operator[](std::size_t i) const { return start[i]; }
  constexpr T const* begin() const { return start; }
  constexpr T const* end() const { return start + count; }
  constexpr T const* data() const { return start; }
  constexpr std::size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr const_span first(std::size_t n) const { return {start, n}; }
};

/// A growing array, of constant evaluation, tests and tapes: it never reaches a compiled program's heap. While a
/// program runs its memory is the thread's spare_memory.
template <class T>
class sequence {
  // g++ goes through all values, one by one, for `new T[n]{}`; clang does not, and wants them alive before they are
  // assigned, as g++ may from 14 on.
#if defined(__clang__) || __GNUC__ > 13
  static constexpr bool can_be_unwritten = false;
#else
  static constexpr bool can_be_unwritten = std::is_trivially_copyable_v<T>;
#endif

 public:
  // The values and their number; where every step counts they are reached without a call.
  T* entry = nullptr;
  std::size_t count = 0;

  constexpr sequence() = default;
  constexpr sequence(std::initializer_list<T> values) : sequence(values.begin(), values.end()) {}
  constexpr sequence(T const* from, T const* to) {
    std::size_t const n = static_cast<std::size_t>(to - from);
    if (n == 0) return;
    T* const room = room_for(n);
    for (std::size_t i = 0; i < n; ++i) room[i] = from[i];
    entry = room, count = capacity_ = n;
  }
  constexpr sequence(std::size_t n, T const& value) {
    if (n == 0) return;
    T* const room = room_for(n);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) room[i] = room[i + 1] = room[i + 2] = room[i + 3] = value;  // in few steps
    for (; i < n; ++i) room[i] = value;
    entry = room, count = capacity_ = n;
  }
  /// `n` values of zero, without a step for each where memory is written from the start.
  static constexpr sequence zeros(std::size_t n) {
    if constexpr (can_be_unwritten) return sequence(n, T{});
    sequence s;
    s.entry = room_for(n);
    s.count = s.capacity_ = n;
    return s;
  }
  constexpr sequence(sequence const& other) : sequence(other.begin(), other.end()) {}
  constexpr sequence(sequence&& other) noexcept : entry(other.entry), count(other.count), capacity_(other.capacity_) {
    other.entry = nullptr, other.count = other.capacity_ = 0;
  }
  constexpr sequence& operator=(sequence other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~sequence() { release(); }

  constexpr T& operator[](std::size_t i) { return entry[i]; }
  constexpr T const& operator[](std::size_t i) const { return entry[i]; }
  constexpr T* begin() { return entry; }
  constexpr T* end() { return entry + count; }
  constexpr T const* begin() const { return entry; }
  constexpr T const* end() const { return entry + count; }
  constexpr T const* data() const { return entry; }
  constexpr std::size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T& back() { return entry[count - 1]; }
  constexpr T const& back() const { return entry[count - 1]; }

  constexpr void push_back(T const& value) {
    count == capacity_ ? push_back_copy(value)
                       : static_cast<void>(entry[count++] = value);  // `value` may lie in this sequence
  }
  constexpr void push_back(T&& value) {
    count == capacity_ ? push_back_copy(static_cast<T&&>(value))
                       : static_cast<void>(entry[count++] = static_cast<T&&>(value));
  }
  constexpr void pop_back() { --count; }
  constexpr void clear() { count = 0; }
  /// Uses `memory` of `n` values for what it holds from now on. Whoever lends it keeps it alive and large
  /// enough, and ends that with nullptr.
  void borrow(T* memory, std::size_t n) {
    entry = memory;
    capacity_ = n;
    if (memory == nullptr) count = 0;
  }
  /// Keeps the first `n` values.
  constexpr void shrink(std::size_t n) { count = n; }
  constexpr void reserve(std::size_t n) {
    if (n <= capacity_) return;
    T* const larger = room_for(n);
    for (std::size_t i = 0; i < count; ++i) larger[i] = static_cast<T&&>(entry[i]);
    release();
    entry = larger;
    capacity_ = n;
  }
  /// Inserts before position `i`.
  constexpr void insert(std::size_t i, T value) {
    push_back(T{});
    for (std::size_t k = count - 1; k > i; --k) entry[k] = static_cast<T&&>(entry[k - 1]);
    entry[i] = static_cast<T&&>(value);
  }
  constexpr void erase(std::size_t i) {
    for (; i + 1 < count; ++i) entry[i] = static_cast<T&&>(entry[i + 1]);
    --count;
  }

  constexpr operator std::vector<T>() const {
    std::vector<T> v;
    v.reserve(count);
    for (T const& each : *this) v.push_back(each);
    return v;
  }
  friend constexpr bool operator==(sequence const& a, sequence const& b) {
    if (a.count != b.count) return false;
    for (std::size_t i = 0; i < a.count; ++i)
      if (!(a.entry[i] == b.entry[i])) return false;
    return true;
  }

 private:
  std::size_t capacity_ = 0;

  /// Memory for `n` values, which constant evaluation leaves unwritten where it may.
  static constexpr T* room_for(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T))
      __builtin_unreachable();  // g++ 12 warns of copies of such a size otherwise
    if (__builtin_is_constant_evaluated()) {
      if constexpr (can_be_unwritten) return std::allocator<T>().allocate(n);
      else return new T[n]{};
    }
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "etch: a sequence holds what operator new aligns");
    T* const room = static_cast<T*>(detail::spare_memory::take(n * sizeof(T)));
    for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(room + i)) T{};
    return room;
  }
  constexpr void release() {
    if (__builtin_is_constant_evaluated()) {
      if constexpr (!can_be_unwritten) delete[] entry;
      else if (entry != nullptr) std::allocator<T>().deallocate(entry, capacity_);
      return;
    }
    for (std::size_t i = 0; i < capacity_; ++i) entry[i].~T();
    detail::spare_memory::give(entry, capacity_ * sizeof(T));
  }
  constexpr void push_back_copy(T value) {
    reserve(count == 0 ? 16 : 2 * count);
    entry[count++] = std::move(value);
  }
  constexpr void swap(sequence& other) noexcept {
    T* const mine = entry;
    std::size_t const size = count, capacity = capacity_;
    entry = other.entry, count = other.count, capacity_ = other.capacity_;
    other.entry = mine, other.count = size, other.capacity_ = capacity;
  }
};

/// `n` copies of `value`.
template <class T>
constexpr sequence<T> filled(std::size_t n, T const& value) {
  return sequence<T>(n, value);
}

ETCH_NAMESPACE_END
