/* Generated from abi/src/rt/mod.rs; do not edit. */
#ifndef TOPROPE_RT_ASCENDC_RUNTIME_H
#define TOPROPE_RT_ASCENDC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads a kernel binary from memory. 0, or an ACL code. */
uint32_t RegisterAscendBinary(const char* fileBuf, size_t fileSize, uint32_t kind, void** handle);
/* Unloads it. 0, or an ACL code. */
int32_t UnregisterAscendBinary(void* handle);
/* Launches the kernel with an entry key. 0, or an ACL code. */
uint32_t LaunchAscendKernel(void* handle, uint64_t key, uint32_t numBlocks, void** args, uint32_t size, aclrtStream stream);
/* Loads a kernel binary from memory, lazily. 0, or an ACL code. */
int32_t AscendDevBinaryLazyRegister(const char* binBuf, size_t binSize, void** handle);
/* The kernel with a name. 0, or an ACL code. */
int32_t AscendGetFuncFromBinary(void* binHandle, const char* kernelName, void** funcHandle);
/* Launches a kernel with arguments in host memory. 0, or an ACL code. */
int32_t AscendLaunchKernelWithHostArgs(void* funcHandle, uint32_t numBlocks, void* stream, void* hostArgs, size_t argsSize, uint32_t ubufDynamicSize);
/* Whether kernels for this chip can run here; else a reason in `errMsg` (1024 bytes). */
bool AscendCheckSoCVersion(const char* socVersion, char* errMsg);
/* As `aclrtGetHardwareSyncAddr`. */
uint32_t GetAscendCoreSyncAddr(void** addr);
/* Device memory for the output of kernels. */
uint32_t AllocAscendMemDevice(void** devMem, uint64_t size);
/* Frees it. */
uint32_t FreeAscendMemDevice(void* devMem);
/* Nothing to do: no profiler listens. */
void AscendProfRegister(void);
/* Whether launches are profiled by an outside tool: never. */
bool GetAscendProfStatus(void);
/* Time at which a launch begins. */
void StartAscendProf(const char* name, uint64_t* startTime);
/* Takes the record of a launch and drops it: no profiler listens. */
void ReportAscendProf(const char* name, uint32_t numBlocks, uint32_t taskType, uint64_t startTime);
/* Numbers of cube and vector cores. */
uint32_t GetCoreNumForMixVectorCore(uint32_t* aiCoreNum, uint32_t* vectorCoreNum);

#ifdef __cplusplus
}
#endif

#endif
