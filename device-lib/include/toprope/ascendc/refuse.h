/* Uses that dav-2201 does not have, or that toprope does not have yet: refused where they are written, by our words.
 *
 * TOPROPE_REFUSE_AT_LAUNCH moves the refusal into the launch. The compiler driver defines it for sources that programs generate and compile
 * without launching all of them (`toprope cc --cce-aicore-only`, the way of pyasc): such a kernel compiles, and its launch ends with the words
 * that the compiler would have said.
 */
#ifndef TOPROPE_ASCENDC_REFUSE_H
#define TOPROPE_ASCENDC_REFUSE_H

#include <toprope/ascendc/checks.h>

#ifdef TOPROPE_REFUSE_AT_LAUNCH
#define TR_REQUIRE(condition, text)                          \
  do {                                                       \
    if (!(condition)) ::toprope::unsupported(text);          \
  } while (0)
#else
#define TR_REQUIRE(condition, text) static_assert(condition, text)
#endif

/* A function that is refused however it is called: with any template arguments (types first, then values) and any arguments. */
#define TR_REFUSED(Api, text)                                                       \
  template <typename... T, typename... A>                                           \
  TR_API void Api(const A&...) {                                                    \
    TR_REQUIRE(sizeof...(A) == static_cast<size_t>(-1), #Api ": " text);            \
  }                                                                                 \
  template <typename T, auto First, auto... More, typename... A>                    \
  TR_API void Api(const A&...) {                                                    \
    TR_REQUIRE(sizeof...(A) == static_cast<size_t>(-1), #Api ": " text);            \
  }                                                                                 \
  template <typename T, typename U, auto First, auto... More, typename... A>        \
  TR_API void Api(const A&...) {                                                    \
    TR_REQUIRE(sizeof...(A) == static_cast<size_t>(-1), #Api ": " text);            \
  }
/* Not on this architecture; `instead` is what to write. */
#define TR_ABSENT(Api, instead) TR_REFUSED(Api, "does not exist on dav-2201 (Atlas A2); " instead)
/* On the architecture, not in toprope. */
#define TR_NOT_YET(Api) TR_REFUSED(Api, "is not in toprope yet (docs/ascendc-support.md lists what is)")

#endif
