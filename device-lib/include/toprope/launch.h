/* Kernel registration and launch: the C++ side of toprope's launch syntax.
 *
 * The rewriter (toolchain/src/launch) emits the names of this file; the contract stands in its module documentation. Everything goes
 * through public ACL functions: the table of kernels is loaded with aclrtBinaryLoadFromData, a kernel is looked up by name and launched
 * with aclrtLaunchKernelWithHostArgs. A launch has its error code as value; most programs look for it in aclrtGetLastError.
 */
#ifndef TOPROPE_LAUNCH_H
#define TOPROPE_LAUNCH_H

#include <acl/acl_rt.h>
#include <cxxabi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toprope/core.h>
#include <toprope/current_core.h>
#include <unistd.h>

#include <atomic>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace toprope __attribute__((visibility("hidden"))) {

/* ---- the kernels of this module ------------------------------------------------------------------------------------------- */

/* A kernel with its cached ACL handle. */
struct kernel_node {
  TrKernel kernel;
  std::atomic<aclrtFuncHandle> handle;
};
static_assert(std::is_standard_layout<kernel_node>::value, "a TrKernel pointer must also be a kernel_node pointer");

inline __attribute__((visibility("hidden"))) TrKernelModule kernel_module = {
    TR_MODULE_MAGIC, TR_CORE_ABI_VERSION, sizeof(TrKernelModule), 0, &kernel_module, nullptr, &set_current_core};

inline kernel_node* find_kernel(const void* entry) {
  for (const TrKernel* k = kernel_module.first; k != nullptr; k = k->next)
    if (k->entry == entry) return reinterpret_cast<kernel_node*>(const_cast<TrKernel*>(k));
  return nullptr;
}

inline bool has_kernel_named(const char* name) {
  for (const TrKernel* k = kernel_module.first; k != nullptr; k = k->next)
    if (strcmp(k->name, name) == 0) return true;
  return false;
}

/* Adds a kernel. A second registration of the same function (a kernel defined in a header) changes nothing. Runs during static
 * initialisation, which is one thread per module. */
inline void add_kernel(kernel_node* node) {
  if (find_kernel(node->kernel.entry) != nullptr) return;
  /* Names tell kernels apart: internal kernels of the same name in two source files become k, k#2, … */
  const char* name = node->kernel.name;
  for (unsigned n = 2; has_kernel_named(node->kernel.name); ++n) {
    char* numbered = static_cast<char*>(malloc(strlen(name) + 12));
    if (numbered == nullptr) break;
    snprintf(numbered, strlen(name) + 12, "%s#%u", name, n);
    node->kernel.name = numbered;
  }
  node->kernel.next = kernel_module.first;
  kernel_module.first = &node->kernel;
}

/* ---- argument block: parameter i starts at the next multiple of 8 bytes ------------------------------------------------------ */

template <class T>
constexpr size_t slot_bytes() {
  return (sizeof(T) + 7) / 8 * 8;
}

template <class... P>
constexpr size_t args_bytes() {
  return (size_t(0) + ... + slot_bytes<P>());
}

template <class T>
T read_slot(const unsigned char* args, size_t& offset) {
  static_assert(!std::is_reference<T>::value, "a kernel parameter is a reference: pass it by value or as a GM address");
  static_assert(std::is_trivially_copyable<T>::value, "a kernel parameter passed by value must be trivially copyable");
  union holder {
    unsigned char none;
    T value;
    holder() : none(0) {}
  } h;
  memcpy(static_cast<void*>(&h.value), args + offset, sizeof(T));
  offset += slot_bytes<T>();
  return h.value;
}

template <class... P>
void invoke_kernel(const void* entry, const void* args) {
  using function = void (*)(P...);
  size_t offset = 0;
  const unsigned char* bytes = static_cast<const unsigned char*>(args);
  /* Braces: elements are read from left to right. */
  struct call {
    call(function f, P... p) { f(p...); }
  };
  (void)bytes;
  (void)offset;
  call{reinterpret_cast<function>(const_cast<void*>(entry)), read_slot<P>(bytes, offset)...};
}

/* ---- registration ---------------------------------------------------------------------------------------------------------- */

/* Fills `node` for a kernel with parameters P. `names` holds NUL-terminated names, "?" for none, a star in front of the system workspace's;
 * after the last (a parameter pack has one for all) stands an empty one. */
template <class... P>
void fill_kernel(kernel_node& node, TrParam* params, const char* name, const char* file, unsigned line, unsigned type, const char* names,
                 void (*function)(P...)) {
  const uint32_t sizes[] = {static_cast<uint32_t>(sizeof(P))..., 0};
  const bool pointers[] = {std::is_pointer<P>::value..., false};
  for (size_t i = 0; i < sizeof...(P); ++i) {
    params[i].size_bytes = sizes[i];
    const bool is_workspace = names[0] == '*';
    params[i].is_pointer = is_workspace && pointers[i] ? 2 : pointers[i];
    if (is_workspace) ++names;
    params[i].name = names[0] == '\0' || names[0] == '?' ? nullptr : names;
    if (names[0] != '\0') names += strlen(names) + 1;
  }
  TrKernel& k = node.kernel;
  k.next = nullptr;
  k.name = name;
  k.file = file;
  k.line = line;
  k.kernel_type = type;
  k.entry = reinterpret_cast<const void*>(function);
  k.invoke = &invoke_kernel<P...>;
  k.params = params;
  k.param_count = sizeof...(P);
  k.args_bytes = args_bytes<P...>();
  node.handle.store(nullptr);
}

template <class... P>
class kernel_registration {
 public:
  kernel_registration(const char* name, const char* file, unsigned line, unsigned type, const char* names, void (*function)(P...)) {
    /* An overload: names must tell kernels apart. */
    if (has_kernel_named(name) && find_kernel(reinterpret_cast<const void*>(function)) == nullptr) name = overload_name(name);
    fill_kernel(node_, params_, name, file, line, type, names, function);
    add_kernel(&node_);
  }
  kernel_registration(const kernel_registration&) = delete;
  kernel_registration& operator=(const kernel_registration&) = delete;

 private:
  /* name(parameter types); lives as long as the module. */
  static const char* overload_name(const char* name) {
    int status = 0;
    char* type = abi::__cxa_demangle(typeid(void(P...)).name(), nullptr, nullptr, &status);
    const char* list = type == nullptr ? nullptr : strchr(type, '(');
    if (list == nullptr) return name;
    char* whole = static_cast<char*>(malloc(strlen(name) + strlen(list) + 1));
    if (whole != nullptr) {
      strcpy(whole, name);
      strcat(whole, list);
      name = whole;
    }
    free(type);
    return name;
  }

  kernel_node node_;
  TrParam params_[sizeof...(P) + 1];
};

template <auto Function>
struct function_tag {};

/* "ns::k<float, 3>" of an instantiated kernel template, taken from the compiler's own name for it. */
inline const char* template_kernel_name(const char* tag, const char* fallback) {
  int status = 0;
  char* text = abi::__cxa_demangle(tag[0] == '*' ? tag + 1 : tag, nullptr, nullptr, &status);
  if (text == nullptr) return fallback;
  char* name = strstr(text, "function_tag<");
  if (name == nullptr) return fallback;
  name += strlen("function_tag<");
  while (*name == '&' || *name == '(' || *name == ' ') ++name;
  if (strncmp(name, "void ", 5) == 0) name += 5;
  static const char anonymous[] = "(anonymous namespace)::";
  if (strncmp(name, anonymous, sizeof(anonymous) - 1) == 0) name += sizeof(anonymous) - 1;
  /* Cut the parameter list: the first '(' outside template arguments that is not "(anonymous namespace)". */
  int depth = 0;
  for (char* c = name; *c != '\0'; ++c) {
    if (*c == '<') ++depth;
    if (*c == '>') --depth;
    if (strncmp(c, anonymous, sizeof(anonymous) - 1) == 0) c += sizeof(anonymous) - 2;
    if ((*c == '(' && depth == 0) || depth < 0) {
      *c = '\0';
      break;
    }
  }
  return name;
}

template <class Info, auto Function>
class kernel_template {
 public:
  /* Called at the start of every instantiation's body, so that the registration below is instantiated with it. */
  static void touch() { (void)&registered_; }

 private:
  template <class... P>
  static bool add(void (*function)(P...)) {
    static kernel_node node;
    static TrParam params[sizeof...(P) + 1];
    if (find_kernel(reinterpret_cast<const void*>(function)) != nullptr) return true;
    const char* name = template_kernel_name(typeid(function_tag<Function>).name(), Info::name());
    fill_kernel(node, params, name, Info::file(), Info::line(), Info::type(), Info::params(), function);
    add_kernel(&node);
    return true;
  }

  static const bool registered_;
};
template <class Info, auto Function>
const bool kernel_template<Info, Function>::registered_ = kernel_template<Info, Function>::add(Function);

/* ---- launch ---------------------------------------------------------------------------------------------------------------- */

/* What stands between <<< and >>>. On dav-2201 the second launch argument (size of a dynamic unified buffer) has no effect. */
struct launch_config {
  uint32_t blocks;
  aclrtStream stream;
  bool waits;

  template <class... A>
  explicit launch_config(A... a) : blocks(0), stream(nullptr), waits(false) {
    static_assert(sizeof...(A) == 2 || sizeof...(A) == 3,
                  "toprope: a launch takes <<<blocks, ubuf>>> or <<<blocks, ubuf, stream>>> (ubuf: nullptr)");
    if constexpr (sizeof...(A) == 2 || sizeof...(A) == 3) set(a...);
  }

  /* The same, but the launch returns when the stream is empty. */
  launch_config waiting() const {
    launch_config same = *this;
    same.waits = true;
    return same;
  }

 private:
  template <class B, class U>
  void set(B number_of_blocks, U, aclrtStream on = nullptr) {
    static_assert(std::is_integral<B>::value || std::is_enum<B>::value, "toprope: the first launch argument is the number of blocks, an integer");
    static_assert(std::is_integral<U>::value || std::is_pointer<U>::value || std::is_null_pointer<U>::value,
                  "toprope: the second launch argument is a size or nullptr");
    /* A negative or too large number must not wrap to a legal one. */
    const long long wide = static_cast<long long>(number_of_blocks);
    blocks = wide < 0 || wide > 0xffffffffll ? 0xffffffffu : static_cast<uint32_t>(wide);
    stream = on;
  }
};

/* Handle of this module's table of kernels, loaded at the first launch. */
inline aclrtBinHandle load_kernel_module() {
  static const aclrtBinHandle handle = [] {
    aclrtBinHandle bin = nullptr;
    kernel_module.pid = static_cast<uint32_t>(getpid());
    if (aclrtBinaryLoadFromData(&kernel_module, sizeof(kernel_module), nullptr, &bin) != ACL_SUCCESS) bin = nullptr;
    return bin;
  }();
  return handle;
}

/* Handle of a kernel of this module. */
inline aclError kernel_handle(const void* entry, const char* text, aclrtFuncHandle& function) {
  kernel_node* node = find_kernel(entry);
  function = node == nullptr ? nullptr : node->handle.load(std::memory_order_acquire);
  if (function != nullptr) return ACL_SUCCESS;
  /* A function that is no kernel of this module is asked for by its text, so that the error names it. */
  const aclError found = aclrtBinaryGetFunction(load_kernel_module(), node == nullptr ? text : node->kernel.name, &function);
  if (found != ACL_SUCCESS) return found;
  if (node == nullptr) return ACL_ERROR_INVALID_PARAM;
  node->handle.store(function, std::memory_order_release);
  return ACL_SUCCESS;
}

/* What calls ACL for a launch is part of the caller also without optimisation: the runtime takes the place of a call from its return
 * address, and this is the program's line only if no function of ours stands between. */
#define TR_LAUNCH_INLINE inline __attribute__((always_inline))

TR_LAUNCH_INLINE aclError launch_packed(const void* entry, const char* text, const launch_config& config, void* args, size_t bytes) {
  aclrtFuncHandle function = nullptr;
  const aclError found = kernel_handle(entry, text, function);
  if (found != ACL_SUCCESS) return found;
  const aclError launched = aclrtLaunchKernelWithHostArgs(function, config.blocks, config.stream, nullptr, args, bytes, nullptr, 0);
  return launched == ACL_SUCCESS && config.waits ? aclrtSynchronizeStream(config.stream) : launched;
}

template <class... P>
TR_LAUNCH_INLINE aclError launch_kernel(void (*function)(P...), const char* text, const launch_config& config, const P&... values) {
  constexpr size_t bytes = args_bytes<P...>();
  alignas(8) unsigned char args[bytes == 0 ? 8 : bytes] = {};
  size_t offset = 0;
  (void)offset;
  ((memcpy(args + offset, static_cast<const void*>(&values), sizeof(P)), offset += slot_bytes<P>()), ...);
  return launch_packed(reinterpret_cast<const void*>(function), text, config, args, bytes);
}

template <size_t Expected, size_t Given>
struct argument_count {
  static constexpr size_t expected = Expected;
  static constexpr size_t given = Given;
};

/* Callable that takes the arguments of kernel `Function`; specialised for what can be launched. */
template <class Function, class Check, class = void>
struct launcher {
  static_assert(sizeof(Function) == 0, "toprope: what stands before <<< is not a kernel: it must be a void function or a pointer to one");
};

template <class... P, class Check>
struct launcher<void (*)(P...), Check, void> {
  const char* text;
  Check check;
  void (*function)(P...);
  launch_config config;

  TR_LAUNCH_INLINE aclError operator()(P... values) const { return launch_kernel<P...>(function, text, config, values...); }

  template <class... A, std::enable_if_t<sizeof...(A) != sizeof...(P), int> = 0>
  aclError operator()(A&&...) const {
    check(argument_count<sizeof...(P), sizeof...(A)>{});
    return ACL_ERROR_INVALID_PARAM;
  }
};

template <class... P, class Check>
struct launcher<void (*)(P...) noexcept, Check, void> : launcher<void (*)(P...), Check, void> {};

template <class R, class... P, class Check>
struct launcher<R (*)(P...), Check, std::enable_if_t<!std::is_void<R>::value>> {
  static_assert(sizeof(R*) == 0, "toprope: the function before <<< returns a value; a kernel returns void");
};

/* A kernel template whose arguments are deduced from the call. */
template <class Select, class Check>
struct launcher<Select, Check, std::enable_if_t<std::is_class<Select>::value>> {
  const char* text;
  Check check;
  Select select;
  launch_config config;

  template <class... A>
  TR_LAUNCH_INLINE aclError operator()(A... values) const {
    return launch_kernel<A...>(select(values...), text, config, values...);
  }
};

template <class Check, class Function>
launcher<Function, Check> kernel_launch(const char* text, Check check, Function function, launch_config config) {
  return {text, check, function, config};
}

#undef TR_LAUNCH_INLINE

}  // namespace toprope

/* A kernel-only shared object is found by this function. */
extern "C" __attribute__((visibility("default"), used)) inline const TrKernelModule* tr_kernel_module() {
  ::toprope::kernel_module.pid = static_cast<uint32_t>(getpid());
  return &::toprope::kernel_module;
}

#endif
