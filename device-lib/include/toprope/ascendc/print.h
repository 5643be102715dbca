/* printf and assertions of kernels.
 *
 *   printf(format, args…)  ─▶ PrintArg per argument ─▶ print_args() ─▶ core->print()   in a kernel: the output of the core, shown in the order of
 *                                                                  └─▶ stdout          the blocks when the launch is over; in host code: at once
 *
 * Arguments carry their type, so a conversion prints what was given whatever its length modifier says: %d takes every integer of 8 to 64 bits,
 * %f half and bfloat16_t as well. Unqualified printf is the C library's where it has the format alone; its symbol, with puts and putchar which
 * compilers put in its place, is taken over inside the module, so that text of a kernel never reaches stdout on its own.
 *
 * Macro ASCENDC_DUMP=0, defined before the headers, turns printf, assert and dumps off, as in the public headers.
 */
#ifndef TOPROPE_ASCENDC_PRINT_H
#define TOPROPE_ASCENDC_PRINT_H

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <toprope/ascendc/half.h>
#include <toprope/ascendc/tensor.h>

#include <type_traits>

#if defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0
#define TR_PRINTS false
#else
#define TR_PRINTS true
#endif

namespace toprope {

/* One argument of printf. */
struct PrintArg {
  enum Kind : uint8_t { SIGNED, UNSIGNED, REAL, POINTER, TEXT };
  Kind kind;
  uint8_t bytes; /* of an integer */
  union {
    int64_t integer;
    double real;
    const void* pointer;
  };
};

template <class T>
TR_API PrintArg print_arg(T value) {
  PrintArg arg;
  arg.bytes = sizeof(T) < 8 ? sizeof(T) : 8;
  if constexpr (one_of<T, half, bfloat16_t> || std::is_floating_point<T>::value) {
    arg.kind = PrintArg::REAL;
    arg.real = static_cast<double>(value);
  } else if constexpr (one_of<std::decay_t<T>, char*, const char*>) {
    arg.kind = PrintArg::TEXT;
    arg.pointer = value;
  } else if constexpr (std::is_pointer<T>::value) {
    arg.kind = PrintArg::POINTER;
    arg.pointer = reinterpret_cast<const void*>(value);
  } else if constexpr (std::is_null_pointer<T>::value) {
    arg.kind = PrintArg::POINTER;
    arg.pointer = nullptr;
  } else if constexpr (std::is_same<T, int4b_t>::value) {
    arg.kind = PrintArg::SIGNED;
    arg.integer = static_cast<int>(value);
  } else {
    constexpr bool wraps = std::is_enum<T>::value || (std::is_arithmetic<T>::value && !std::is_signed<T>::value);
    arg.kind = wraps ? PrintArg::UNSIGNED : PrintArg::SIGNED;
    arg.integer = static_cast<int64_t>(value);
  }
  return arg;
}
template <class T>
TR_API PrintArg print_arg(ScalarRef<T> value) {
  return print_arg(static_cast<T>(value));
}

/* Text that grows in a fixed buffer and is handed on when it is full. */
class PrintSink {
 public:
  explicit PrintSink(TrCore* core) : core_(core) {}
  ~PrintSink() { Flush(); }
  PrintSink(const PrintSink&) = delete;
  void Add(const char* text, size_t bytes) {
    total_ += bytes;
    while (bytes != 0) {
      if (used_ == sizeof(text_)) Flush();
      const size_t now = bytes < sizeof(text_) - used_ ? bytes : sizeof(text_) - used_;
      memcpy(text_ + used_, text, now);
      used_ += now, text += now, bytes -= now;
    }
  }
  template <class... A>
  void Format(const char* format, A... args) {
    char text[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int length = snprintf(text, sizeof(text), format, args...);
#pragma GCC diagnostic pop
    if (length > 0) Add(text, static_cast<size_t>(length) < sizeof(text) ? static_cast<size_t>(length) : sizeof(text) - 1);
  }
  int Total() const { return static_cast<int>(total_); }

 private:
  void Flush() {
    if (used_ == 0) return;
    if (core_ != nullptr)
      core_->print(core_, text_, used_);
    else
      fwrite(text_, 1, used_, stdout);
    used_ = 0;
  }
  TrCore* core_;
  size_t used_ = 0, total_ = 0;
  char text_[512];
};

/* One conversion: `flags` is "%" with flags, width and precision, room for a modifier and the conversion behind it. */
inline void print_one(PrintSink& sink, char* flags, size_t length, char conversion, const PrintArg& arg) {
  const auto as = [&](const char* tail) {
    strcpy(flags + length, tail);
    return flags;
  };
  const bool text = arg.kind == PrintArg::TEXT;
  const double real = arg.kind == PrintArg::REAL ? arg.real : arg.kind == PrintArg::UNSIGNED ? static_cast<double>(static_cast<uint64_t>(arg.integer)) : static_cast<double>(arg.integer);
  const int64_t integer = arg.kind == PrintArg::REAL ? static_cast<int64_t>(arg.real) : arg.integer;
  char tail[4] = {conversion, 0, 0, 0};
  switch (conversion) {
    case 'd':
    case 'i': return sink.Format(as("lld"), static_cast<long long>(integer));
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      /* A negative number shows the bits of its type. */
      const uint64_t mask = arg.kind == PrintArg::SIGNED && arg.bytes < 8 ? (1ull << 8 * (arg.bytes < 4 ? 4 : arg.bytes)) - 1 : ~0ull;
      tail[0] = 'l', tail[1] = 'l', tail[2] = conversion;
      return sink.Format(as(tail), static_cast<unsigned long long>(static_cast<uint64_t>(integer) & mask));
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return sink.Format(as(tail), real);
    case 'c': return sink.Format(as(tail), static_cast<int>(integer));
    case 'p': return sink.Format(as(tail), arg.pointer);
    case 's':
      if (text && arg.pointer != nullptr && length == 1) return sink.Add(static_cast<const char*>(arg.pointer), strlen(static_cast<const char*>(arg.pointer)));
      if (text && arg.pointer != nullptr) return sink.Format(as(tail), static_cast<const char*>(arg.pointer));
      return sink.Format(as(tail), text || arg.pointer == nullptr ? "(null)" : "(not a text)");
    default: return sink.Add(flags, length);
  }
}

/* Prints; returns the number of characters. A conversion without an argument is shown as it is written. */
TR_COLD inline int print_args(const char* format, const PrintArg* args, size_t count) {
  PrintSink sink(::tr_core());
  size_t next = 0;
  for (const char* at = format; *at != '\0';) {
    const char* plain = at;
    while (*at != '\0' && *at != '%') ++at;
    sink.Add(plain, static_cast<size_t>(at - plain));
    if (*at == '\0') break;
    if (at[1] == '%') {
      sink.Add("%", 1);
      at += 2;
      continue;
    }
    const char* start = at++;
    char flags[48] = "%";
    size_t length = 1;
    for (; *at != '\0' && strchr("-+ #0123456789.*", *at) != nullptr; ++at) {
      if (*at == '*' && next < count && length < 32)
        length += static_cast<size_t>(snprintf(flags + length, 12, "%d", static_cast<int>(args[next++].integer)));
      else if (length < 32)
        flags[length++] = *at;
    }
    while (*at != '\0' && strchr("hljztL", *at) != nullptr) ++at;
    const bool known = *at != '\0' && strchr("diuxXofFeEgGaAcps", *at) != nullptr;
    if (!known || next == count) {
      if (*at != '\0') ++at;
      sink.Add(start, static_cast<size_t>(at - start));
      continue;
    }
    print_one(sink, flags, length, *at++, args[next++]);
  }
  return sink.Total();
}

/* By value: arrays decay, and bit fields can be printed. */
template <class... Args>
TR_API int printf(const char* format, Args... args) {
  if constexpr (!TR_PRINTS) {
    if (::tr_core() != nullptr) return 0;
  }
  const PrintArg list[] = {print_arg(args)..., PrintArg()};
  return print_args(format, list, sizeof...(args));
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

using ::toprope::printf;
template <class... Args>
TR_API void PRINTF(const char* format, Args... args) {
  ::toprope::printf(format, args...);
}

}  // namespace AscendC

/* Unqualified printf with arguments; with a format alone the C library's own declaration is preferred. */
using ::toprope::printf;

/* The symbols themselves, under names of our own: what a compiler makes of a plain printf("…") ends here, too. */
#if defined(__GLIBC__)
#define TR_OF_MODULE(symbol) __asm__(#symbol) __attribute__((weak, visibility("hidden"), used))
extern "C" {
int tr_module_printf(const char* format, ...) TR_OF_MODULE(printf);
int tr_module_puts(const char* text) TR_OF_MODULE(puts);
int tr_module_putchar(int character) TR_OF_MODULE(putchar);
}
#undef TR_OF_MODULE
extern "C" int tr_module_printf(const char* format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  TrCore* core = ::tr_core();
  const int length = core == nullptr ? vfprintf(stdout, format, args) : vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  if (core == nullptr || length <= 0) return length;
  const size_t kept = static_cast<size_t>(length) < sizeof(text) ? static_cast<size_t>(length) : sizeof(text) - 1;
  if (TR_PRINTS) core->print(core, text, kept);
  return length;
}
extern "C" int tr_module_puts(const char* text) {
  TrCore* core = ::tr_core();
  if (core == nullptr) return fputs(text, stdout) < 0 ? EOF : fputc('\n', stdout);
  if (TR_PRINTS) {
    core->print(core, text, strlen(text));
    core->print(core, "\n", 1);
  }
  return 1;
}
extern "C" int tr_module_putchar(int character) {
  TrCore* core = ::tr_core();
  if (core == nullptr) return fputc(character, stdout);
  const char text = static_cast<char>(character);
  if (TR_PRINTS) core->print(core, &text, 1);
  return static_cast<unsigned char>(text);
}
#endif

/* <cassert> included after this header brings libc's assert back, which calls this function: taken over for the same reason. */
#if defined(__GLIBC__)
extern "C" __attribute__((weak, noreturn, cold)) void __assert_fail(const char* condition, const char* file, unsigned int line,
                                                                    const char* function) noexcept {
  ::toprope::assertion_failed(condition, file, static_cast<int>(line), function);
  abort();
}
#endif

/* assert(condition) and assert(condition, format, ...): in a kernel a failure is a finding with the condition and ends the launch. What the
 * public headers print stands in the output of the core. */
#undef assert
#undef ascendc_assert
#define TR_ASSERT_1(condition) \
  (static_cast<bool>(condition) ? void(0) : ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__))
#define TR_ASSERT_N(condition, ...) \
  (static_cast<bool>(condition)     \
       ? void(0)                    \
       : (::toprope::printf("[ASSERT] %s:%d: Assertion `%s' ", __FILE__, __LINE__, #condition), ::toprope::printf(__VA_ARGS__), \
          ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__)))
#define TR_ASSERT_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, NAME, ...) NAME
#define TR_ASSERT(...)                                                                                                                     \
  TR_ASSERT_PICK(__VA_ARGS__, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N,       \
                 TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_N, TR_ASSERT_1, unused)           \
  (__VA_ARGS__)
#if defined(NDEBUG) || (defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0)
#define assert(...) void(0)
#define ascendc_assert(...) void(0)
#else
#define assert(...) TR_ASSERT(__VA_ARGS__)
#define ascendc_assert(...) TR_ASSERT(__VA_ARGS__)
#endif
#define TR_ASSERT_DO(condition, behavior)                                            \
  do {                                                                               \
    if (!(condition)) {                                                              \
      behavior;                                                                      \
      ::toprope::assertion_failed(#condition, __FILE__, __LINE__, __func__);         \
    }                                                                                \
  } while (0)
/* ASCENDC_ASSERT(condition, { what to do first }); ASSERT(condition); ASSERT_MSG(condition, format, …). */
#define ASCENDC_ASSERT(condition, behavior) TR_ASSERT_DO(condition, behavior)
#define ASCENDC_DEBUG_ASSERT(condition, behavior) TR_ASSERT_DO(condition, behavior)
#define ASCENDC_ASSERT_WARNING(condition, behavior) \
  do {                                              \
    if (!(condition)) {                             \
      behavior;                                     \
    }                                               \
  } while (0)
#define ASCENDC_REPORT_NOT_SUPPORT(condition, what)                                       \
  do {                                                                                    \
    if (!(condition)) ::toprope::unsupported(what " is not supported on dav-2201");       \
  } while (0)
#ifndef ASSERT
#define ASSERT(condition) TR_ASSERT_DO(condition, )
#endif
#define ASSERT_MSG(condition, ...) TR_ASSERT_DO(condition, ::toprope::printf(__VA_ARGS__))
/* KERNEL_LOG(level, format, …) prints. */
#define KERNEL_LOG(level, ...) ::toprope::printf("[" #level "] " __VA_ARGS__)
#define KERNEL_LOG_INTERNAL(level, ...) KERNEL_LOG(level, __VA_ARGS__)

#endif
