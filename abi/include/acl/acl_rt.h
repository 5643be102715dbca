/* The CANN runtime interface: devices, streams, events, memory, kernels.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_RT_H
#define TOPROPE_ACL_ACL_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"
#include "acl_rt_allocator.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAJOR_VERSION 1 /* version of the ACL interface, first part */
#define ACL_MINOR_VERSION 17 /* second part */
#define ACL_PATCH_VERSION 0 /* third part */
#define ACL_EVENT_SYNC 1U /* the event can be waited for */
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x2U /* the event shows how far a stream is */
#define ACL_EVENT_TIME_LINE 0x8U /* the event takes a timestamp */
#define ACL_EVENT_DEVICE_USE_ONLY 0x10U /* the event is only used on the device */
#define ACL_EVENT_EXTERNAL 0x20U /* the event crosses the border of a graph */
#define ACL_EVENT_IPC 0x40U /* the event is shared between processes */
#define ACL_EVENT_RECORD_DEFAULT 0U /* record as usual */
#define ACL_EVENT_RECORD_EXTERNAL 1U /* record for work outside the graph */
#define ACL_EVENT_WAIT_DEFAULT 0U /* wait as usual */
#define ACL_EVENT_WAIT_EXTERNAL 1U /* wait for work outside the graph */
#define ACL_STREAM_FAST_LAUNCH 1U /* stream for quick launches */
#define ACL_STREAM_FAST_SYNC 0x2U /* stream for quick synchronisation */
#define ACL_STREAM_PERSISTENT 0x4U /* stream whose tasks are kept for a graph */
#define ACL_STREAM_HUGE 0x8U /* stream for very many tasks (not on dav-2201) */
#define ACL_STREAM_CPU_SCHEDULE 0x10U /* stream scheduled by the device's processor */
#define ACL_STREAM_DEVICE_USE_ONLY 0x20U /* stream only used on the device */
#define ACL_STREAM_WAIT_VALUE_GEQ 0U /* wait until the word is at least the value */
#define ACL_STREAM_WAIT_VALUE_EQ 1U /* wait until the word is the value */
#define ACL_STREAM_WAIT_VALUE_AND 0x2U /* wait until the word has a bit of the value */
#define ACL_STREAM_WAIT_VALUE_NOR 0x3U /* wait until a bit is in neither */
#define ACL_CONTINUE_ON_FAILURE 0U /* after a fault later tasks run (default) */
#define ACL_STOP_ON_FAILURE 1U /* after a fault nothing runs until the device is reset */
#define ACL_NOTIFY_DEFAULT 0U /* ordinary notify */
#define ACL_NOTIFY_DEVICE_USE_ONLY 1U /* notify only used on the device */
#define ACL_DEV_FEATURE_SUPPORT 1 /* the device has the feature */
#define ACL_DEV_FEATURE_NOT_SUPPORT 0 /* the device lacks the feature */
#define ACL_HOST_REG_MAPPED 0x2UL /* map host memory into the device's addresses */
#define ACL_HOST_REG_IOMEMORY 0x4UL /* host memory of another device */
#define ACL_HOST_REG_READONLY 0x8UL /* the device only reads it */
#define ACL_HOST_REG_PINNED 0x10000000UL /* keep it in memory */
#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0 /* host and device share a PCIe bus */
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1 /* host and device share an HCCS link */
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2 /* host and device share a unified bus */
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U /* code for AI Cores */
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U /* code for vector cores */
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U /* code for cube cores */
#define ACL_IPC_EVENT_HANDLE_SIZE 0x40U /* size of an event key, bytes */
#define ACL_RT_MEM_ATTACH_GLOBAL 1U /* managed memory seen by all */
#define ACL_PKG_VERSION_MAX_SIZE 128 /* size of a version text, bytes */
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64 /* size of a part of a version text, bytes */

typedef void* aclrtDrvMemHandle; /* Physical device memory without an address */
typedef void* aclrtBinary; /* The bytes of a kernel binary, not loaded yet */
typedef void* aclrtBinHandle; /* A loaded kernel binary */
typedef void* aclrtFuncHandle; /* A kernel of a loaded binary */
typedef void* aclrtArgsHandle; /* The arguments of a launch while they are put together */
typedef void* aclrtParamHandle; /* One argument of an arguments handle */
typedef void* aclmdlRI; /* A graph that can be run */

/* Where the program runs. */
typedef enum aclrtRunMode {
    ACL_DEVICE = 0, /* on the device's own processor */
    ACL_HOST = 1, /* on a host with the device attached */
} aclrtRunMode;

/* Which task scheduler of the device. */
typedef enum aclrtTsId {
    ACL_TS_ID_AICORE = 0, /* that of the AI Cores */
    ACL_TS_ID_AIVECTOR = 1, /* that of the vector cores */
    ACL_TS_ID_RESERVED = 2, /* not used */
} aclrtTsId;

/* Answer of the old event query. Mind: complete is 0 here and 1 in EventRecordedStatus. */
typedef enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0, /* it happened */
    ACL_EVENT_STATUS_NOT_READY = 1, /* not yet */
    ACL_EVENT_STATUS_RESERVED = 2, /* not used */
} aclrtEventStatus;

/* Answer of the event query. Mind: complete is 1 here and 0 in EventStatus. */
typedef enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, /* not yet */
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1, /* it happened */
} aclrtEventRecordedStatus;

/* Whether all waits for an event are over. */
typedef enum aclrtEventWaitStatus {
    ACL_EVENT_WAIT_STATUS_COMPLETE = 0, /* all waits are over */
    ACL_EVENT_WAIT_STATUS_NOT_READY = 1, /* somebody still waits */
    ACL_EVENT_WAIT_STATUS_RESERVED = 65535, /* not used */
} aclrtEventWaitStatus;

/* Whether a stream has work left. */
typedef enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0, /* all work is done */
    ACL_STREAM_STATUS_NOT_READY = 1, /* work is left */
    ACL_STREAM_STATUS_RESERVED = 65535, /* not used */
} aclrtStreamStatus;

/* Whether a callback holds up the stream. */
typedef enum aclrtCallbackBlockType {
    ACL_CALLBACK_NO_BLOCK = 0, /* later tasks go on */
    ACL_CALLBACK_BLOCK = 1, /* later tasks wait for the callback */
} aclrtCallbackBlockType;

/* Direction of a copy. */
typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0, /* host to host */
    ACL_MEMCPY_HOST_TO_DEVICE = 1, /* host to device */
    ACL_MEMCPY_DEVICE_TO_HOST = 2, /* device to host */
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3, /* device to device */
    ACL_MEMCPY_DEFAULT = 4, /* decided from the addresses */
    ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5, /* host to device; the host data are taken at the call */
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6, /* within one device */
    ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7, /* between two devices */
} aclrtMemcpyKind;

/* What kind of pages an allocation should use. */
typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0, /* 2 MiB pages, small ones if those run out or the size is at most 1 MiB */
    ACL_MEM_MALLOC_HUGE_ONLY = 1, /* 2 MiB pages */
    ACL_MEM_MALLOC_NORMAL_ONLY = 2, /* 4 KiB pages */
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3, /* as HUGE_FIRST, reachable from other devices */
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4, /* as HUGE_ONLY, reachable from other devices */
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5, /* as NORMAL_ONLY, reachable from other devices */
    ACL_MEM_MALLOC_HUGE1G_ONLY = 6, /* 1 GiB pages */
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7, /* 1 GiB pages, reachable from other devices */
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 256, /* flag: the slower memory */
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096, /* flag: the faster memory */
    ACL_MEM_ACCESS_USER_SPACE_READONLY = 1048576, /* flag: user code may only read */
} aclrtMemMallocPolicy;

/* How host memory is registered. */
typedef enum aclrtHostRegisterType {
    ACL_HOST_REGISTER_MAPPED = 0, /* mapped into the device's addresses */
    ACL_HOST_REGISTER_IOMEMORY = 4, /* memory of another device */
    ACL_HOST_REGISTER_READONLY = 8, /* the device only reads it */
} aclrtHostRegisterType;

/* Which attribute an allocation carries. */
typedef enum aclrtMallocAttrType {
    ACL_RT_MEM_ATTR_RSV = 0, /* none */
    ACL_RT_MEM_ATTR_MODULE_ID = 1, /* number of the asking module */
    ACL_RT_MEM_ATTR_DEVICE_ID = 2, /* device */
    ACL_RT_MEM_ATTR_VA_FLAG = 3, /* address flag */
} aclrtMallocAttrType;

/* Which memory a query is about. */
typedef enum aclrtMemAttr {
    ACL_DDR_MEM = 0, /* DDR, any pages */
    ACL_HBM_MEM = 1, /* HBM, any pages */
    ACL_DDR_MEM_HUGE = 2, /* DDR, 2 MiB pages */
    ACL_DDR_MEM_NORMAL = 3, /* DDR, 4 KiB pages */
    ACL_HBM_MEM_HUGE = 4, /* HBM, 2 MiB pages */
    ACL_HBM_MEM_NORMAL = 5, /* HBM, 4 KiB pages */
    ACL_DDR_MEM_P2P_HUGE = 6, /* DDR shared between devices, 2 MiB pages */
    ACL_DDR_MEM_P2P_NORMAL = 7, /* DDR shared between devices, 4 KiB pages */
    ACL_HBM_MEM_P2P_HUGE = 8, /* HBM shared between devices, 2 MiB pages */
    ACL_HBM_MEM_P2P_NORMAL = 9, /* HBM shared between devices, 4 KiB pages */
    ACL_HBM_MEM_HUGE1G = 10, /* HBM, 1 GiB pages */
    ACL_HBM_MEM_P2P_HUGE1G = 11, /* HBM shared between devices, 1 GiB pages */
    ACL_MEM_NORMAL = 12, /* any memory, 4 KiB pages */
    ACL_MEM_HUGE = 13, /* any memory, 2 MiB pages */
    ACL_MEM_HUGE1G = 14, /* any memory, 1 GiB pages */
    ACL_MEM_P2P_NORMAL = 15, /* shared between devices, 4 KiB pages */
    ACL_MEM_P2P_HUGE = 16, /* shared between devices, 2 MiB pages */
    ACL_MEM_P2P_HUGE1G = 17, /* shared between devices, 1 GiB pages */
} aclrtMemAttr;

/* What happens to a result that does not fit. */
typedef enum aclrtFloatOverflowMode {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0, /* the largest number */
    ACL_RT_OVERFLOW_MODE_INFNAN = 1, /* infinity or NaN */
    ACL_RT_OVERFLOW_MODE_UNDEF = 2, /* not set */
} aclrtFloatOverflowMode;

/* Which field of a stream configuration is set. */
typedef enum aclrtStreamConfigAttr {
    ACL_RT_STREAM_WORK_ADDR_PTR = 0, /* address of the work memory */
    ACL_RT_STREAM_WORK_SIZE = 1, /* size of the work memory, bytes */
    ACL_RT_STREAM_FLAG = 2, /* ACL_STREAM_* flags */
    ACL_RT_STREAM_PRIORITY = 3, /* 0 highest to 7 lowest */
} aclrtStreamConfigAttr;

/* Where memory lies. */
typedef enum aclrtMemLocationType {
    ACL_MEM_LOCATION_TYPE_HOST = 0, /* host memory known to the runtime */
    ACL_MEM_LOCATION_TYPE_DEVICE = 1, /* device memory */
    ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2, /* host memory the runtime does not know */
    ACL_MEM_LOCATION_TYPE_MANAGED = 3, /* moves between host and device by itself */
    ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4, /* host memory of one NUMA node */
} aclrtMemLocationType;

/* Health of a device. */
typedef enum aclrtDeviceStatus {
    ACL_RT_DEVICE_STATUS_NORMAL = 0, /* works */
    ACL_RT_DEVICE_STATUS_ABNORMAL = 1, /* does not work */
    ACL_RT_DEVICE_STATUS_END = 65535, /* not used */
} aclrtDeviceStatus;

/* Mode of a graph capture. */
typedef enum aclmdlRICaptureMode {
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0, /* no thread may call what a capture forbids */
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1, /* this thread may not */
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2, /* all may */
} aclmdlRICaptureMode;

/* State of a graph capture. */
typedef enum aclmdlRICaptureStatus {
    ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0, /* nothing is captured */
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1, /* capturing */
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2, /* an error spoilt the capture */
} aclmdlRICaptureStatus;

/* What failed on a device. */
typedef enum aclrtErrorType {
    ACL_RT_NO_ERROR = 0, /* nothing */
    ACL_RT_ERROR_MEMORY = 1, /* memory */
    ACL_RT_ERROR_L2 = 2, /* L2 cache */
    ACL_RT_ERROR_AICORE = 3, /* an AI Core */
    ACL_RT_ERROR_LINK = 4, /* a link */
    ACL_RT_ERROR_L3_PORT = 5, /* a port of the third network level */
    ACL_RT_ERROR_OTHERS = 65535, /* something else */
} aclrtErrorType;

/* Why an AI Core failed. */
typedef enum aclrtAicoreErrorType {
    ACL_RT_AICORE_ERROR_UNKNOWN = 0, /* not known */
    ACL_RT_AICORE_ERROR_SW = 1, /* the kernel */
    ACL_RT_AICORE_ERROR_HW_LOCAL = 2, /* the core itself */
} aclrtAicoreErrorType;

/* What to do with cached data. */
typedef enum aclrtCmoType {
    ACL_RT_CMO_TYPE_PREFETCH = 0, /* read ahead */
    ACL_RT_CMO_TYPE_WRITEBACK = 1, /* write back, keep */
    ACL_RT_CMO_TYPE_INVALID = 2, /* drop */
    ACL_RT_CMO_TYPE_FLUSH = 3, /* write back and drop */
} aclrtCmoType;

/* Whose last error is meant. */
typedef enum aclrtLastErrLevel {
    ACL_RT_THREAD_LEVEL = 0, /* that of the calling thread */
} aclrtLastErrLevel;

/* Which option of loading a binary is given. */
typedef enum aclrtBinaryLoadOptionType {
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1, /* copy code to the device at first use */
    ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2, /* old name of MAGIC */
    ACL_RT_BINARY_LOAD_OPT_MAGIC = 2, /* kind of core the code is for */
    ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3, /* how AI CPU kernels are loaded */
} aclrtBinaryLoadOptionType;

/* Which half of an AI Core runs a kernel. */
typedef enum aclrtEngineType {
    ACL_RT_ENGINE_TYPE_AIC = 0, /* cube core */
    ACL_RT_ENGINE_TYPE_AIV = 1, /* vector core */
} aclrtEngineType;

/* Which attribute of a launch is given. */
typedef enum aclrtLaunchKernelAttrId {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1, /* 0 normal, 1 all blocks at once, 2 with synchronisation */
    ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2, /* old name of DYN_UBUF_SIZE */
    ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2, /* bytes of UB given at launch */
    ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3, /* kind of core */
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4, /* number of the first block */
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5, /* fetch the next task early */
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6, /* dump inputs and outputs */
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7, /* time limit, seconds; not together with TIMEOUT_US */
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8, /* time limit, microseconds */
    ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9, /* 0 off, 1 on */
} aclrtLaunchKernelAttrId;

/* Which attribute of a stream is meant. */
typedef enum aclrtStreamAttr {
    ACL_STREAM_ATTR_FAILURE_MODE = 1, /* go on or stop after a fault */
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2, /* look for overflow */
    ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3, /* a number of the user's */
    ACL_STREAM_ATTR_CACHE_OP_INFO = 4, /* keep descriptions of operators */
    ACL_STREAM_ATTR_PRIORITY = 5, /* 0 highest to 7 lowest */
} aclrtStreamAttr;

/* A number of a device. */
typedef enum aclrtDevAttr {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1, /* number of AI CPUs */
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101, /* number of AI Cores */
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102, /* number of cube cores */
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201, /* number of vector cores */
    ACL_DEV_ATTR_WARP_SIZE = 202, /* threads in a warp (SIMT; 0 on dav-2201) */
    ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203, /* threads of a vector core (SIMT) */
    ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204, /* old name of UBUF_PER_VECTOR_CORE */
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204, /* UB of a vector core, bytes */
    ACL_DEV_ATTR_MAX_GRID_DIM_X = 205, /* largest grid, x (SIMT) */
    ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206, /* largest grid, y (SIMT) */
    ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207, /* largest grid, z (SIMT) */
    ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208, /* blocks of a grid (SIMT) */
    ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209, /* threads of a block (SIMT) */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210, /* largest block, x (SIMT) */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211, /* largest block, y (SIMT) */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212, /* largest block, z (SIMT) */
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301, /* device memory, bytes */
    ACL_DEV_ATTR_L2_CACHE_SIZE = 302, /* L2 cache, bytes */
    ACL_DEV_ATTR_SMP_ID = 401, /* same for devices of one operating system */
    ACL_DEV_ATTR_PHY_CHIP_ID = 402, /* physical number of the chip */
    ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403, /* old spelling of SUPER_POD_DEVICE_ID */
    ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403, /* number of the device in its pod */
    ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404, /* number of the server in its pod */
    ACL_DEV_ATTR_SUPER_POD_ID = 405, /* number of the pod */
    ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406, /* whether custom operators are allowed */
    ACL_DEV_ATTR_MAINBOARD_ID = 407, /* number of the main board */
    ACL_DEV_ATTR_HD_CONNECT_TYPE = 408, /* how host and device are connected */
    ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409, /* pod, server or card */
    ACL_DEV_ATTR_IS_VIRTUAL = 501, /* whether it is a share of a device */
    ACL_DEV_ATTR_NPU_ARCH = 601, /* architecture, such as 2201 */
} aclrtDevAttr;

/* A feature of a device. */
typedef enum aclrtDevFeatureType {
    ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1, /* tasks can be updated on the device */
    ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21, /* queue events cross devices */
} aclrtDevFeatureType;

/* How a reducing copy combines. */
typedef enum aclrtReduceKind {
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10, /* sum */
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11, /* maximum */
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12, /* minimum */
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13, /* comparison */
} aclrtReduceKind;

/* Which cores a limit is about. */
typedef enum aclrtDevResLimitType {
    ACL_RT_DEV_RES_CUBE_CORE = 0, /* cube cores */
    ACL_RT_DEV_RES_VECTOR_CORE = 1, /* vector cores */
} aclrtDevResLimitType;

/* A comparison made by a stream. */
typedef enum aclrtCondition {
    ACL_RT_EQUAL = 0, /* = */
    ACL_RT_NOT_EQUAL = 1, /* not equal */
    ACL_RT_GREATER = 2, /* greater */
    ACL_RT_GREATER_OR_EQUAL = 3, /* greater or equal */
    ACL_RT_LESS = 4, /* less */
    ACL_RT_LESS_OR_EQUAL = 5, /* less or equal */
} aclrtCondition;

/* Type of the numbers a stream compares. */
typedef enum aclrtCompareDataType {
    ACL_RT_SWITCH_INT32 = 0, /* 32 bits */
    ACL_RT_SWITCH_INT64 = 1, /* 64 bits */
} aclrtCompareDataType;

/* Which attribute of a kernel is asked for. */
typedef enum aclrtFuncAttribute {
    ACL_FUNC_ATTR_KERNEL_TYPE = 1, /* see aclrtKernelType */
    ACL_FUNC_ATTR_KERNEL_RATIO = 2, /* cube and vector cores per block */
    ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3, /* scheduling mode */
} aclrtFuncAttribute;

/* Which cores a kernel runs on. */
typedef enum aclrtKernelType {
    ACL_KERNEL_TYPE_AICORE = 0, /* AI Core */
    ACL_KERNEL_TYPE_CUBE = 1, /* cube core */
    ACL_KERNEL_TYPE_VECTOR = 2, /* vector core */
    ACL_KERNEL_TYPE_MIX = 3, /* both together */
    ACL_KERNEL_TYPE_AICPU = 100, /* AI CPU */
} aclrtKernelType;

/* A package of CANN. */
typedef enum aclCANNPackageName {
    ACL_PKG_NAME_CANN = 0, /* the whole */
    ACL_PKG_NAME_RUNTIME = 1, /* runtime */
    ACL_PKG_NAME_COMPILER = 2, /* compiler */
    ACL_PKG_NAME_HCCL = 3, /* collective communication */
    ACL_PKG_NAME_TOOLKIT = 4, /* toolkit */
    ACL_PKG_NAME_OPP = 5, /* operators */
    ACL_PKG_NAME_OPP_KERNEL = 6, /* compiled operators */
    ACL_PKG_NAME_DRIVER = 7, /* driver */
} aclCANNPackageName;

/* Value of an allocation attribute; which field counts, the attribute's type says. */
typedef union aclrtMallocAttrValue {
    uint16_t moduleId; /* Number of the asking module. */
    uint32_t deviceId; /* Device. */
    uint32_t vaFlag; /* Address flag. */
    uint8_t rsv[8]; /* Fixes the size. */
} aclrtMallocAttrValue;

/* One attribute of an allocation. */
typedef struct aclrtMallocAttribute {
    aclrtMallocAttrType attr; /* Which attribute. */
    aclrtMallocAttrValue value; /* Its value. */
} aclrtMallocAttribute;

/* Attributes of an allocation. */
typedef struct aclrtMallocConfig {
    aclrtMallocAttribute* attrs; /* First attribute. */
    size_t numAttrs; /* Number of attributes. */
} aclrtMallocConfig;

/* Configuration of a stream. */
typedef struct aclrtStreamConfigHandle {
    void* workptr; /* Work memory, or null. */
    size_t workSize; /* Size of the work memory, bytes. */
    size_t flag; /* `ACL_STREAM_*` flags. */
    uint32_t priority; /* 0 highest to 7 lowest. */
} aclrtStreamConfigHandle;

/* Where a piece of memory lies. */
typedef struct aclrtMemLocation {
    uint32_t id; /* Device (or NUMA node). */
    aclrtMemLocationType type; /* Kind of memory. */
} aclrtMemLocation;

/* What the runtime knows about a pointer. */
typedef struct aclrtPtrAttributes {
    aclrtMemLocation location; /* Where it points to. */
    uint32_t pageSize; /* Page size of that memory, bytes. */
    uint32_t rsv[4]; /* Zero. */
} aclrtPtrAttributes;

/* Key of memory shared between servers. */
typedef struct aclrtMemFabricHandle {
    uint8_t data[128]; /* Opaque bytes. */
} aclrtMemFabricHandle;

/* Unchanging identity of a device. */
typedef struct aclrtUuid {
    char bytes[16]; /* Opaque bytes. */
} aclrtUuid;

/* Value of a load option; which field counts, the option's type says. */
typedef union aclrtBinaryLoadOptionValue {
    uint32_t isLazyLoad; /* 1: copy code to the device at first use. */
    uint32_t magic; /* `ACL_RT_BINARY_MAGIC_ELF_*`. */
    int32_t cpuKernelMode; /* 0, 1 or 2. */
    uint32_t rsv[4]; /* Fixes the size. */
} aclrtBinaryLoadOptionValue;

/* One option of loading a binary. */
typedef struct aclrtBinaryLoadOption {
    aclrtBinaryLoadOptionType type; /* Which option. */
    aclrtBinaryLoadOptionValue value; /* Its value. */
} aclrtBinaryLoadOption;

/* Options of loading a binary. */
typedef struct aclrtBinaryLoadOptions {
    aclrtBinaryLoadOption* options; /* First option. */
    size_t numOpt; /* Number of options. */
} aclrtBinaryLoadOptions;

/* A 64-bit time limit in two halves. */
typedef struct aclrtTimeoutUs {
    uint32_t timeoutLow; /* Low 32 bits, microseconds. */
    uint32_t timeoutHigh; /* High 32 bits. */
} aclrtTimeoutUs;

/* Value of a launch attribute; which field counts, the attribute's id says. */
typedef union aclrtLaunchKernelAttrValue {
    uint8_t schemMode; /* 0 normal, 1 all blocks at once, 2 with synchronisation. */
    uint32_t localMemorySize; /* Old name of `dynUBufSize`. */
    uint32_t dynUBufSize; /* Bytes of UB given at launch. */
    aclrtEngineType engineType; /* Kind of core. */
    uint32_t blockDimOffset; /* Number of the first block. */
    uint8_t isBlockTaskPrefetch; /* 1: fetch the next task early. */
    uint8_t isDataDump; /* 1: dump inputs and outputs. */
    uint16_t timeout; /* Time limit, seconds. */
    aclrtTimeoutUs timeoutUs; /* Time limit, microseconds. */
    uint8_t enableProfiling; /* 1: profile this launch. */
    uint32_t rsv[4]; /* Fixes the size. */
} aclrtLaunchKernelAttrValue;

/* One attribute of a launch. */
typedef struct aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttrId id; /* Which attribute. */
    aclrtLaunchKernelAttrValue value; /* Its value. */
} aclrtLaunchKernelAttr;

/* Attributes of a launch. */
typedef struct aclrtLaunchKernelCfg {
    aclrtLaunchKernelAttr* attrs; /* First attribute. */
    size_t numAttrs; /* Number of attributes. */
} aclrtLaunchKernelCfg;

/* Value of a stream attribute; which field counts, the attribute says. */
typedef union aclrtStreamAttrValue {
    uint64_t failureMode; /* `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`. */
    uint32_t overflowSwitch; /* 1: look for overflow. */
    uint32_t userCustomTag; /* A number of the user's. */
    uint32_t cacheOpInfoSwitch; /* 1: keep descriptions of operators. */
    uint32_t streamPriority; /* 0 highest to 7 lowest. */
    uint32_t reserve[4]; /* Fixes the size. */
} aclrtStreamAttrValue;

/* A piece of host data that a launch carries along: the runtime copies it to the device and writes its address into
 * the arguments. */
typedef struct aclrtPlaceHolderInfo {
    uint32_t addrOffset; /* Where in the arguments the address goes, bytes. */
    uint32_t dataOffset; /* Where in the arguments buffer the data lie, bytes. */
} aclrtPlaceHolderInfo;

/* Version of a package, as text. */
typedef struct aclCANNPackageVersion {
    char version[128]; /* The whole version. */
    char majorVersion[64]; /* First part. */
    char minorVersion[64]; /* Second part. */
    char releaseVersion[64]; /* Third part. */
    char patchVersion[64]; /* Fourth part. */
    char reserved[128]; /* Zero. */
} aclCANNPackageVersion;

#ifndef __BISHENG_CCEC__
/* Number of blocks or threads in three directions (SIMT only). */
typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
#ifdef __cplusplus
    constexpr dim3(uint32_t nx = 1, uint32_t ny = 1, uint32_t nz = 1) : x(nx), y(ny), z(nz) {}
#endif
} dim3;
#endif

/* Initialises the runtime with a JSON file, or with defaults if configPath is null. A second call answers 100002. */
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);

/* Ends what aclInit began; no other call may follow. A second call answers 100037. */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/* Selects a device for the calling thread and makes its default context and stream if there is none yet. */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/* Gives one aclrtSetDevice back; at the last one the device's resources are freed. */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/* Frees the device's resources at once, however often it was selected. */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/* The device selected in the calling thread; 107002 if there is none. */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t* deviceId);

/* Number of devices this process may use. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t* count);

/* Waits until all streams of the current device are empty and reports what failed. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/* Makes a context with its own default stream on a device and selects it. */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);

/* Destroys a context made by aclrtCreateContext. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/* Selects a context, and with it its device, for the calling thread. */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/* The context selected in the calling thread. */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext* context);

/* Makes a stream in the current context. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream* stream);

/* Waits for the stream's work, then destroys it. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/* Drops the stream's waiting work and destroys it. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/* Waits until the stream is empty and reports what failed in it. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/* Allocates device memory; contents are undefined. A size of 0 answers 100000. */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/* Frees device memory at once; the caller makes sure that nothing uses it any more. */
ACL_FUNC_VISIBILITY aclError aclrtFree(void* devPtr);

/* Allocates pinned host memory, which asynchronous copies need. */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void** hostPtr, size_t size);

/* Frees memory of aclrtMallocHost. */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void* hostPtr);

/* Copies and returns when done; does not wait for streams. destMax is the room at dst. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);

/* Sets count bytes to the low byte of value and returns when done. */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count);

/* Takes the newest error message of the calling thread; null if there is none. Valid until the next call. */
ACL_FUNC_VISIBILITY const char* aclGetRecentErrMsg(void);

/* Numbers of the runtime's interface version. */
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion);

/* Version of a package as text parts; old query. */
ACL_FUNC_VISIBILITY aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version);

/* Version of a package as text; versionStr has room for 128 bytes. */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char* pkgName, char* versionStr);

/* Version of a package as a number that grows with it. */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum);

/* Last error of the calling thread; it stays. */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/* Last error of the calling thread; it is cleared. */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/* Whether the program runs on the host or on the device. */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode* runMode);

/* One number of a device. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);

/* As aclrtSynchronizeDevice, for at most timeout ms (-1: no limit); then 507046. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/* Free and total device memory, bytes. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);

/* Copies in stream order. Host memory has to be pinned for this not to block. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);

/* Sets bytes in stream order. */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);

/* Makes a stream with a priority (0 highest to 7 lowest) and ACL_STREAM_* flags. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);

/* As aclrtSynchronizeStream, for at most timeout ms (-1: no limit); then 507046 and the work goes on. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/* Whether the stream is empty; never waits. */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);

/* What happens after a fault: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE (no way back). */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/* Makes an event for synchronisation, progress and timing. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent* event);

/* Makes an event that holds a device resource from now on, with ACL_EVENT_* flags. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);

/* Makes an event that takes its device resource when it is recorded, with ACL_EVENT_* flags. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);

/* Destroys an event; never waits. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/* Marks this place of the stream; the event happens when the stream gets there. */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/* Makes an event of aclrtCreateEventWithFlag usable again, in stream order. */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/* Old query: complete is 0. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);

/* Whether the event happened: complete is 1. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status);

/* Whether all waits for the event are over: complete is 0. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status);

/* Waits on the host until the event happened. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/* The same for at most timeout ms (-1: no limit); then 507047. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/* Milliseconds of device time between two events that happened. */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent);

/* Device time at which the event happened, microseconds. */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

/* Lets the stream wait for the event. */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/* The same for at most timeout seconds (0: no limit). */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);

/* Loads a kernel binary from a file; options may be null. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle);

/* Loads a kernel binary from memory; options may be null. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle);

/* Unloads a binary; its kernels must not be launched any more. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/* Finds a kernel by name. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunction(aclrtBinHandle binHandle, const char* kernelName, aclrtFuncHandle* funcHandle);

/* Finds a kernel by its entry number (tiling key). */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle* funcHandle);

/* Name of a kernel, cut to maxLen bytes with its final zero. */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name);

/* Number of parameters of a kernel. */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount);

/* Place and size of one parameter in the argument buffer, bytes. */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

/* Launches numBlocks blocks; the arguments are copied from host memory at the call. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);

/* Gives one aclInit back and tells how many are left (refCount may be null); at 0 it finalises, below 100037. */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t* refCount);

#ifdef __cplusplus
}
#endif

#endif /* TOPROPE_ACL_ACL_RT_H */
