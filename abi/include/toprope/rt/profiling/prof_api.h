/* Generated from abi/src/rt/mod.rs; do not edit. */
#ifndef TOPROPE_RT_PROF_API_H
#define TOPROPE_RT_PROF_API_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include "acl/acl_base.h"

typedef int32_t (*ProfCommandHandle)(uint32_t type, void *data, uint32_t len);

#ifdef __cplusplus
extern "C" {
#endif

/* A clock that only grows, nanoseconds. */
uint64_t MsprofSysCycleTime(void);
/* Number of a text: the same for the same text in one process. */
uint64_t MsprofGetHashId(const char* hashInfo, size_t length);
/* As `MsprofGetHashId`. */
uint64_t MsprofStr2Id(const char* hashInfo, size_t length);
/* The text of such a number, or null. */
const char* MsprofId2Str(uint64_t id);
/* Keeps a callback of a module. It is not called: profiling is never switched on by an outside tool. */
int32_t MsprofRegisterCallback(uint32_t moduleId, ProfCommandHandle handle);
/* Takes a record and drops it: no profiler listens. */
int32_t MsprofReportApi(uint32_t nonPersistantFlag, const void* api);
/* As `MsprofReportApi`. */
int32_t MsprofReportEvent(uint32_t nonPersistantFlag, const void* event);
/* As `MsprofReportApi`. */
int32_t MsprofReportCompactInfo(uint32_t nonPersistantFlag, void* data, uint32_t length);
/* As `MsprofReportApi`. */
int32_t MsprofReportAdditionalInfo(uint32_t nonPersistantFlag, void* data, uint32_t length);
/* As `MsprofReportApi`. */
int32_t MsprofRegTypeInfo(uint16_t level, uint32_t typeId, const char* typeName);
/* Whether an operator is profiled: never. */
bool MsprofCheckOpSwitch(uint32_t kind, const char* op, size_t len);

#ifdef __cplusplus
}
#endif

#endif
