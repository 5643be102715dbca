/* Records and numbers of the profiling hooks: what generated host code fills before it calls the functions of prof_api.h.
 *
 * Layouts and values are those of CANN (pkg_inc/profiling of the public runtime); only what hosts of kernels use is here. No profiler listens on
 * the embedded NPU, so records are dropped.
 */
#ifndef TOPROPE_RT_APROF_PUB_H
#define TOPROPE_RT_APROF_PUB_H

#include <stdint.h>

#define MSPROF_REPORT_DATA_MAGIC_NUM 0x5A5AU

/* Levels of a record. */
#define MSPROF_REPORT_ACL_LEVEL 20000U
#define MSPROF_REPORT_MODEL_LEVEL 15000U
#define MSPROF_REPORT_NODE_LEVEL 10000U
#define MSPROF_REPORT_RUNTIME_LEVEL 5000U

/* Types of a record of level NODE. */
#define MSPROF_REPORT_NODE_BASIC_INFO_TYPE 0U
#define MSPROF_REPORT_NODE_TENSOR_INFO_TYPE 1U
#define MSPROF_REPORT_NODE_CONTEXT_ID_INFO_TYPE 4U
#define MSPROF_REPORT_NODE_LAUNCH_TYPE 5U

/* Bits of MsprofCommandHandle.profSwitch. */
#define PROF_ACL_API_MASK 0x00000001ULL
#define PROF_TASK_TIME_L1_MASK 0x00000002ULL
#define PROF_AICORE_METRICS_MASK 0x00000004ULL
#define PROF_TASK_TIME_MASK 0x00000800ULL

/* What a callback is called for. */
enum ProfCtrlType { PROF_CTRL_INVALID = 0, PROF_CTRL_SWITCH = 1, PROF_CTRL_REPORTER = 2, PROF_CTRL_STEPINFO = 3, PROF_CTRL_BUTT = 4 };

/* MsprofCommandHandle.type. */
enum MsprofCommandHandleType {
  PROF_COMMANDHANDLE_TYPE_INIT = 0,
  PROF_COMMANDHANDLE_TYPE_START = 1,
  PROF_COMMANDHANDLE_TYPE_STOP = 2,
  PROF_COMMANDHANDLE_TYPE_FINALIZE = 3,
  PROF_COMMANDHANDLE_TYPE_MODEL_SUBSCRIBE = 4,
  PROF_COMMANDHANDLE_TYPE_MODEL_UNSUBSCRIBE = 5,
  PROF_COMMANDHANDLE_TYPE_MAX = 6
};

/* Kind of the task of a node. */
enum MsprofGeTaskType {
  MSPROF_GE_TASK_TYPE_AI_CORE = 0,
  MSPROF_GE_TASK_TYPE_AI_CPU = 1,
  MSPROF_GE_TASK_TYPE_AIV = 2
};

struct MsprofCommandHandleParams {
  uint32_t pathLen;
  uint32_t storageLimit;
  uint32_t profDataLen;
  char path[1024];
  char profData[4096];
};

/* The data of a PROF_CTRL_SWITCH. */
struct MsprofCommandHandle {
  uint64_t profSwitch;
  uint64_t profSwitchHi;
  uint32_t devNums;
  uint32_t devIdList[64];
  uint32_t modelId;
  uint32_t type;
  uint32_t cacheFlag;
  struct MsprofCommandHandleParams params;
};

/* A call of the host, for MsprofReportApi. */
struct MsprofApi {
  uint16_t magicNumber;
  uint16_t level;
  uint32_t type;
  uint32_t threadId;
  uint32_t reserve;
  uint64_t beginTime;
  uint64_t endTime;
  uint64_t itemId;
};

#pragma pack(push, 1)
/* Names are numbers of MsprofGetHashId. */
struct MsprofNodeBasicInfo {
  uint64_t opName;
  uint32_t taskType;
  uint64_t opType;
  uint32_t blockDim;
  uint32_t opFlag;
};

struct MsrofTensorData {
  uint32_t tensorType;
  uint32_t format;
  uint32_t dataType;
  uint32_t shape[8];
};

struct MsprofTensorInfo {
  uint64_t opName;
  uint32_t tensorNum;
  struct MsrofTensorData tensorData[5];
};
#pragma pack(pop)

/* For MsprofReportCompactInfo. */
struct MsprofCompactInfo {
  uint16_t magicNumber;
  uint16_t level;
  uint32_t type;
  uint32_t threadId;
  uint32_t dataLen;
  uint64_t timeStamp;
  union {
    uint8_t info[40];
    struct MsprofNodeBasicInfo nodeBasicInfo;
  } data;
};

/* For MsprofReportAdditionalInfo. */
struct MsprofAdditionalInfo {
  uint16_t magicNumber;
  uint16_t level;
  uint32_t type;
  uint32_t threadId;
  uint32_t dataLen;
  uint64_t timeStamp;
  uint8_t data[232];
};

#endif
