/* Generated from abi/src/rt/mod.rs; do not edit. */
#ifndef TOPROPE_RT_RUNTIME_RT_H
#define TOPROPE_RT_RUNTIME_RT_H

#include <stddef.h>
#include <stdint.h>
#include "acl/acl_base.h"

#ifndef RTS_API
#define RTS_API
#endif
typedef int32_t rtError_t;
typedef char char_t;
typedef void *rtStream_t;
typedef void *rtFuncHandle;
typedef uint32_t rtMemType_t;
typedef struct tagRtSmDesc rtSmDesc_t;
#define RT_ERROR_NONE 0
#define RT_DEV_BINARY_MAGIC_ELF 0x43554245U
#define RT_DEV_BINARY_MAGIC_ELF_AIVEC 0x41415246U
#define RT_DEV_BINARY_MAGIC_ELF_AICUBE 0x41494343U
#define RT_MEMORY_DEFAULT 0x0U
#define RT_MEMORY_HBM 0x2U
#define RT_MEMORY_POLICY_HUGE_PAGE_ONLY 0x800U

typedef enum tagRtMemcpyKind {
  RT_MEMCPY_HOST_TO_HOST = 0,
  RT_MEMCPY_HOST_TO_DEVICE = 1,
  RT_MEMCPY_DEVICE_TO_HOST = 2,
  RT_MEMCPY_DEVICE_TO_DEVICE = 3
} rtMemcpyKind_t;

/* a kernel binary as the program describes it. */
typedef struct tagRtDevBinary {
  uint32_t magic;
  uint32_t version;
  const void* data;
  uint64_t length;
} rtDevBinary_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Name of the chip, as `aclrtGetSocName`. */
aclError rtGetSocVersion(char* version, uint32_t maxLen);
/* Number of visible devices. */
aclError rtGetDeviceCount(int32_t* count);
/* A number of a device; module 4 (AI Core) or 7 (vector core), info 3 (number of cores). */
aclError rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType, int64_t* value);
/* As `aclrtSetDevice`. */
aclError rtSetDevice(int32_t deviceId);
/* As `aclrtGetDevice`. */
aclError rtGetDevice(int32_t* deviceId);
/* As `aclrtResetDevice`. */
aclError rtDeviceReset(int32_t deviceId);
/* As `aclrtSynchronizeDevice`. */
aclError rtDeviceSynchronize(void);
/* As `aclrtSynchronizeDeviceWithTimeout`. */
aclError rtDeviceSynchronizeWithTimeout(int32_t timeout);
/* Address that kernels use to synchronise cores, and its size. */
aclError rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len);
/* As `aclrtCreateStreamWithConfig` without flags. */
aclError rtStreamCreate(aclrtStream* stream, int32_t priority);
/* As `aclrtCreateStreamWithConfig`. */
aclError rtStreamCreateWithFlags(aclrtStream* stream, int32_t priority, uint32_t flags);
/* As `aclrtDestroyStream`. */
aclError rtStreamDestroy(aclrtStream stream);
/* As `aclrtSynchronizeStream`. */
aclError rtStreamSynchronize(aclrtStream stream);
/* As `aclrtSynchronizeStreamWithTimeout`. */
aclError rtStreamSynchronizeWithTimeout(aclrtStream stream, int32_t timeout);
/* The default stream of the current context. */
aclError rtCtxGetCurrentDefaultStream(aclrtStream* stream);
/* Device memory. Whole pages are usable, as on the device: what lies behind the size up to the page's end is no error. */
aclError rtMalloc(void** devPtr, uint64_t size, uint32_t memType, uint16_t moduleId);
/* As `aclrtFree`. */
aclError rtFree(void* devPtr);
/* As `aclrtMemcpy`. */
aclError rtMemcpy(void* dst, uint64_t destMax, const void* src, uint64_t count, uint32_t kind);
/* As `aclrtMemcpyAsync`. */
aclError rtMemcpyAsync(void* dst, uint64_t destMax, const void* src, uint64_t count, uint32_t kind, aclrtStream stream);
/* As `aclrtMemset`. */
aclError rtMemset(void* devPtr, uint64_t destMax, uint32_t value, uint64_t count);
/* Loads a kernel binary from memory. */
aclError rtDevBinaryRegister(const rtDevBinary_t* bin, void** handle);
/* Unloads it, with the kernels registered for it. */
aclError rtDevBinaryUnRegister(void* handle);
/* Checks the handle; all memory is equally fast here. */
aclError rtBinaryRegisterToFastMemory(void* handle);
/* Checks both handles; binaries do not depend on each other here. */
aclError rtDependencyRegister(void* mHandle, void* sHandle);
/* Checks the handle; the text is for tools. */
aclError rtMetadataRegister(void* handle, const char* metadata);
/* Gives a stub (any address) the kernel with the name `kernelInfoExt`, or `stubName` if that is null. */
aclError rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName, const void* kernelInfoExt, uint32_t funcMode);
/* Gives a host function its kernel. */
aclError rtRegisterFuncSymbol(void* binHandle, const void* symbol, const char* kernelName, void* reserve);
/* Makes a device variable known by the address of its host twin. */
void rtRegisterVariable(void* binHandle, const void* hostVar, const char* deviceVarName, size_t size, uint32_t flags, void* reserve);
/* As `aclrtGetFuncBySymbol`. */
aclError rtGetFuncBySymbol(const void* symbol, void** funcHandle);
/* Address and size on the current device of a variable of `rtRegisterVariable`. */
aclError rtSymbolLookup(const void* hostVar, void** devPtr, size_t* size);
/* Size of what `rtFunctionGetMetaInfo` gives. */
aclError rtFunctionGetMetaInfoSize(void* funcHandle, uint32_t metaType, size_t* size);
/* A property of a kernel: 1 kind of core, 3 cores per block, 14 entry key. */
aclError rtFunctionGetMetaInfo(void* funcHandle, uint32_t metaType, void* data, uint32_t length);
/* Launches the kernel of a stub with arguments in host memory. */
aclError rtKernelLaunch(const void* stubFunc, uint32_t numBlocks, void* args, uint32_t argsSize, void* smDesc, aclrtStream stream);
/* As `aclrtLaunchKernelWithArgsArray` without a configuration. */
aclError rtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream, void* cfg, void** args);
/* Begins a launch in the calling thread; `rtSetupArgument` and `rtLaunch` follow. */
aclError rtConfigureCall(uint32_t numBlocks, void* smDesc, aclrtStream stream);
/* Puts an argument at an offset of the launch that `rtConfigureCall` began. */
aclError rtSetupArgument(const void* args, uint32_t size, uint32_t offset);
/* Launches what `rtConfigureCall` began. */
aclError rtLaunch(const void* stubFunc);
/* Accepts a command of a profiler; `toprope` reports launches by itself. */
aclError rtProfSetProSwitch(void* data, uint32_t len);

#ifdef __cplusplus
}
#endif

#endif
