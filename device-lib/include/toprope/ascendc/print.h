/* printf and assertions of kernels. Text is formatted here and goes to the output of the core; in host code to stdout. */
#ifndef TOPROPE_ASCENDC_PRINT_H
#define TOPROPE_ASCENDC_PRINT_H

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <toprope/ascendc/half.h>
#include <toprope/ascendc/tensor.h>

#include <type_traits>

namespace toprope {

/* Longest text of one call. */
constexpr size_t PRINT_BYTES = 1024;

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
TR_COLD inline void print_formatted(const char* format, ...) {
  char text[PRINT_BYTES];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  if (length < 0) return;
  if (static_cast<size_t>(length) >= sizeof(text)) { /* cut, and say so */
    constexpr char more[] = "... (cut)\n";
    length = sizeof(text) - 1;
    memcpy(text + sizeof(text) - sizeof(more), more, sizeof(more));
  }
  TrCore* core = ::tr_core();
  if (core != nullptr)
    core->print(core, text, static_cast<uint64_t>(length));
  else
    fwrite(text, 1, static_cast<size_t>(length), stdout);
}

/* What printf's `...` takes: small floats as double, 4-bit integers as int, enums as their number, what converts to a number as int64_t. */
template <class T>
TR_API auto printable(T value) {
  if constexpr (one_of<T, half, bfloat16_t>)
    return static_cast<double>(static_cast<float>(value));
  else if constexpr (std::is_same<T, int4b_t>::value)
    return static_cast<int>(value);
  else if constexpr (std::is_enum<T>::value)
    return static_cast<std::underlying_type_t<T>>(value);
  else if constexpr (std::is_arithmetic<T>::value || std::is_pointer<T>::value || std::is_null_pointer<T>::value)
    return value;
  else
    return static_cast<int64_t>(value);
}
template <class T>
TR_API auto printable(ScalarRef<T> value) {
  return printable(static_cast<T>(value));
}

[[gnu::noinline, gnu::cold]] inline void assertion_failed(const char* condition, const char* file, int line, const char* function) {
  if (TrCore* core = ::tr_core()) {
    char text[512];
    snprintf(text, sizeof(text), "%s (%s:%d, %s)", condition, file, line, function);
    tr_refuse(core, TR_REFUSE_ASSERT, text);
    return;
  }
  fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
  abort();
}

}  // namespace toprope

namespace AscendC {

template <class... Args>
TR_API void printf(const char* format, Args&&... args) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
  ::toprope::print_formatted(format, ::toprope::printable(args)...);
#pragma GCC diagnostic pop
}
template <class... Args>
TR_API void PRINTF(const char* format, Args&&... args) {
  ::AscendC::printf(format, args...);
}

}  // namespace AscendC

/* <cassert> included after this header brings libc's assert back, which calls this function: taken over for the same reason. */
#if defined(__GLIBC__)
extern "C" __attribute__((weak, noreturn, cold)) void __assert_fail(const char* condition, const char* file, unsigned int line,
                                                                    const char* function) noexcept {
  ::toprope::assertion_failed(condition, file, static_cast<int>(line), function);
  abort();
}
#endif

/* assert(condition) and assert(condition, format, ...): in a kernel a failure is a finding with the condition and ends the launch. */
#undef assert
#undef ascendc_assert
#define TR_ASSERT_1(condition) \
  (static_cast<bool>(condition) ? void(0) : ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__))
#define TR_ASSERT_N(condition, ...) \
  (static_cast<bool>(condition)     \
       ? void(0)                    \
       : (::AscendC::printf(__VA_ARGS__), ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__)))
#define TR_ASSERT_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, NAME, ...) NAME
#define TR_ASSERT(...)                                                                                                                     \
  TR_ASSERT_PICK(__VA_ARGS__, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N,       \
                 TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_1, unused)           \
  (__VA_ARGS__)
#ifdef NDEBUG
#define assert(...) void(0)
#define ascendc_assert(...) void(0)
#else
#define assert(...) TR_ASSERT(__VA_ARGS__)
#define ascendc_assert(...) TR_ASSERT(__VA_ARGS__)
#endif
/* ASCENDC_ASSERT(condition, { what to do first }); KERNEL_LOG(level, format, …) prints. */
#define ASCENDC_ASSERT(condition, behavior)                                                        \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      behavior;                                                                                    \
      ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__);                       \
    }                                                                                              \
  } while (0)
#define KERNEL_LOG(level, ...) ::AscendC::printf("[" #level "] " __VA_ARGS__)

#endif
