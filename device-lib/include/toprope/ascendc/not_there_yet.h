/* Names of the high-level APIs and of host tiling that toprope does not have yet.
 *
 * Sources that only include the headers compile. A use is refused where it is written, by our words: the type trait below is false, but only
 * when a template is instantiated.
 */
#ifndef TOPROPE_ASCENDC_NOT_THERE_YET_H
#define TOPROPE_ASCENDC_NOT_THERE_YET_H

namespace toprope {

template <class...>
struct never {
  static constexpr bool value = false;
};

}  // namespace toprope

#define TR_NOT_THERE_YET(what) "toprope: " what " is not there yet (docs/ascendc-support.md lists what is)"

/* A class whose construction is refused. */
#define TR_CLASS_NOT_THERE_YET(name, what)                                                \
  class name {                                                                            \
   public:                                                                                \
    template <class... A>                                                                 \
    explicit name(A&&...) {                                                               \
      static_assert(::toprope::never<A...>::value, TR_NOT_THERE_YET(what));               \
    }                                                                                     \
  };

/* A class template whose use is refused. */
#define TR_TEMPLATE_NOT_THERE_YET(name, what)                                             \
  template <class... A>                                                                   \
  class name {                                                                            \
    static_assert(::toprope::never<A...>::value, TR_NOT_THERE_YET(what));                 \
  };

#endif
