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

#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0UL /* only listed processes may import the notify */
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x2UL /* every process may import the notify */
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0UL /* import as usual */
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x2UL /* open the way to the notify's device too */
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0UL /* only listed processes may import the memory */
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 1UL /* every process may import the memory */
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0UL /* import as usual */
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 1UL /* open the way to the memory's device too */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0 /* shared memory is reached between the dies of a package */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1 /* shared memory is reached over HCCS */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2 /* shared memory is reached over one port of the unified bus */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3 /* shared memory is reached over several ports of the unified bus */
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0UL /* only listed processes may import the physical memory */
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 1UL /* every process may import the physical memory */
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0UL /* a graph is written in short */
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 1UL /* a graph is written with every parameter */
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 0x14U /* most memory errors kept per device */
#define ACL_RT_MEM_LINK_IDX_0 0U /* first link */
#define ACL_RT_MEM_LINK_IDX_1 1U /* second link */
#define MAX_MEM_UCE_INFO_ARRAY_SIZE 128 /* most memory errors in a list */
#define UCE_INFO_RESERVED_SIZE 14 /* words kept free in a memory error */
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20 /* most memory errors in a device error */
#define ACL_DEVICE_FORM_FACTOR_POD 0 /* the device is part of a pod */
#define ACL_DEVICE_FORM_FACTOR_A_K 1 /* the device is in an A+K server */
#define ACL_DEVICE_FORM_FACTOR_A_X 2 /* the device is in an A+X server */
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3 /* the device is a PCIe card */
#define ACL_RT_CMO_MAX_BARRIER_NUM 0x6U /* most cache operations that one barrier waits for */
#define ACL_RT_DEVS_TOPOLOGY_HCCS 1ULL /* two devices are joined by HCCS */
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x2ULL /* two devices are joined by one PCIe switch */
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x4ULL /* two devices are joined by several PCIe switches */
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x8ULL /* two devices are joined by a PCIe host bridge */
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL /* two devices are joined across NUMA nodes */
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL /* two devices are dies of a package */
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL /* two devices are joined by an HCCS switch */
#define ACL_RT_MEM_TYPE_DEV 0x2U /* memory of the device */
#define ACL_RT_MEM_TYPE_DVPP 0x8U /* memory of the image processor */
#define ACL_RT_MEM_TYPE_RSVD 0x10U /* reserved memory */
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
typedef void* aclmdlRICondHandle; /* A condition of a graph */
typedef void* aclrtMemPool; /* Device memory that is handed out in stream order */

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

/* A hint on how managed memory will be used. */
typedef enum aclrtMemManagedAdviseType {
    ACL_MEM_ADVISE_SET_READ_MOSTLY = 0, /* it is mostly read */
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1, /* takes that back */
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2, /* it prefers a place */
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3, /* takes that back */
    ACL_MEM_ADVISE_SET_ACCESSED_BY = 4, /* a place accesses it directly */
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5, /* takes that back */
} aclrtMemManagedAdviseType;

/* Kind of place where managed memory may live. */
typedef enum aclrtMemManagedLocationType {
    ACL_MEM_LOCATIONTYPE_INVALID = 0, /* none */
    ACL_MEM_LOCATIONTYPE_DEVICE = 1, /* a device */
    ACL_MEM_LOCATIONTYPE_HOST = 2, /* the host */
    ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3, /* a NUMA node of the host */
    ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4, /* the calling thread's NUMA node */
} aclrtMemManagedLocationType;

/* Which attribute of shared memory is set. */
typedef enum aclrtIpcMemAttrType {
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0, /* the link it is reached over */
} aclrtIpcMemAttrType;

/* Which property of a core group is asked for. */
typedef enum aclrtGroupAttr {
    ACL_GROUP_AICORE_INT = 0, /* AI Cores */
    ACL_GROUP_AIV_INT = 1, /* vector cores */
    ACL_GROUP_AIC_INT = 2, /* cube cores */
    ACL_GROUP_SDMANUM_INT = 3, /* copy channels */
    ACL_GROUP_ASQNUM_INT = 4, /* streams */
    ACL_GROUP_GROUPID_INT = 5, /* number of the group */
} aclrtGroupAttr;

/* Which property of a range of managed memory is asked for. */
typedef enum aclrtMemManagedRangeAttribute {
    ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1, /* read mostly */
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2, /* preferred location */
    ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3, /* accessed by */
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4, /* preferred location type */
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5, /* preferred location id */
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6, /* last prefetch location */
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7, /* last prefetch location type */
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8, /* last prefetch location id */
} aclrtMemManagedRangeAttribute;

/* How physical memory is allocated. */
typedef enum aclrtMemAllocationType {
    ACL_MEM_ALLOCATION_TYPE_PINNED = 0, /* it stays where it is */
} aclrtMemAllocationType;

/* Kind of handle physical memory can be exported as. */
typedef enum aclrtMemHandleType {
    ACL_MEM_HANDLE_TYPE_NONE = 0, /* it cannot be exported */
    ACL_MEM_HANDLE_TYPE_POSIX = 2, /* a file descriptor */
} aclrtMemHandleType;

/* Kind of key that names shared physical memory. */
typedef enum aclrtMemSharedHandleType {
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1, /* a number, within one server */
    ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2, /* 128 bytes, also between servers */
} aclrtMemSharedHandleType;

/* Which granularity of physical memory is asked for. */
typedef enum aclrtMemGranularityOptions {
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0, /* the smallest */
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1, /* the one that suits best */
    ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535, /* none */
} aclrtMemGranularityOptions;

/* What a task of a graph does. */
typedef enum aclmdlRITaskType {
    ACL_MODEL_RI_TASK_DEFAULT = 0, /* something without parameters */
    ACL_MODEL_RI_TASK_KERNEL = 1, /* runs a kernel */
    ACL_MODEL_RI_TASK_EVENT_RECORD = 2, /* records an event */
    ACL_MODEL_RI_TASK_EVENT_WAIT = 3, /* waits for an event */
    ACL_MODEL_RI_TASK_EVENT_RESET = 4, /* resets an event */
    ACL_MODEL_RI_TASK_VALUE_WRITE = 5, /* writes a word */
    ACL_MODEL_RI_TASK_VALUE_WAIT = 6, /* waits for a word */
} aclmdlRITaskType;

/* A distribution of random numbers. */
typedef enum aclrtRandomNumFuncType {
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0, /* bits that are set with a probability */
    ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1, /* uniform */
    ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2, /* normal */
    ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3, /* normal within two standard deviations */
} aclrtRandomNumFuncType;

/* When the abort callback is called. */
typedef enum aclrtDeviceTaskAbortStage {
    ACL_RT_DEVICE_TASK_ABORT_PRE = 0, /* before the tasks are aborted */
    ACL_RT_DEVICE_TASK_ABORT_POST = 1, /* after it */
} aclrtDeviceTaskAbortStage;

/* Which kind of task is updated. */
typedef enum aclrtUpdateTaskAttrId {
    ACL_RT_UPDATE_RANDOM_TASK = 1, /* random numbers */
    ACL_RT_UPDATE_AIC_AIV_TASK = 2, /* a kernel */
} aclrtUpdateTaskAttrId;

/* What happens to a device, before or after it happens. */
typedef enum aclrtDeviceState {
    ACL_RT_DEVICE_STATE_SET_PRE = 0, /* before it is selected */
    ACL_RT_DEVICE_STATE_SET_POST = 1, /* after it was selected */
    ACL_RT_DEVICE_STATE_RESET_PRE = 2, /* before it is reset */
    ACL_RT_DEVICE_STATE_RESET_POST = 3, /* after it was reset */
} aclrtDeviceState;

/* Stage of a snapshot. */
typedef enum aclrtSnapShotStage {
    ACL_RT_SNAPSHOT_LOCK_PRE = 0, /* before the process is locked */
    ACL_RT_SNAPSHOT_BACKUP_PRE = 1, /* before device state is saved */
    ACL_RT_SNAPSHOT_BACKUP_POST = 2, /* after device state was saved */
    ACL_RT_SNAPSHOT_RESTORE_PRE = 3, /* before device state is restored */
    ACL_RT_SNAPSHOT_RESTORE_POST = 4, /* after device state was restored */
    ACL_RT_SNAPSHOT_UNLOCK_POST = 5, /* after the process was unlocked */
} aclrtSnapShotStage;

/* What happens to a stream. */
typedef enum aclrtStreamState {
    ACL_RT_STREAM_STATE_CREATE_POST = 1, /* it was made */
    ACL_RT_STREAM_STATE_DESTROY_PRE = 2, /* it is about to be destroyed */
} aclrtStreamState;

/* How a record changes a counter. */
typedef enum aclrtCntNotifyRecordMode {
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0, /* sets it */
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1, /* adds to it */
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2, /* sets bits */
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4, /* keeps bits */
} aclrtCntNotifyRecordMode;

/* What a wait compares a counter with. */
typedef enum aclrtCntNotifyWaitMode {
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0, /* until it is less */
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1, /* until it is equal */
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2, /* until it is greater */
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3, /* until it is greater or equal */
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4, /* until it has the bits of the value */
} aclrtCntNotifyWaitMode;

/* What may be done with mapped memory. */
typedef enum aclrtMemAccessFlags {
    ACL_RT_MEM_ACCESS_FLAGS_NONE = 0, /* nothing */
    ACL_RT_MEM_ACCESS_FLAGS_READ = 1, /* reading */
    ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3, /* reading and writing */
} aclrtMemAccessFlags;

/* A unit of the device that can reach memory. */
typedef enum aclrtHacType {
    ACL_RT_HAC_TYPE_STARS = 0, /* task scheduler */
    ACL_RT_HAC_TYPE_AICPU = 1, /* AI CPU */
    ACL_RT_HAC_TYPE_AIC = 2, /* cube core */
    ACL_RT_HAC_TYPE_AIV = 3, /* vector core */
    ACL_RT_HAC_TYPE_PCIEDMA = 4, /* copies over PCIe */
    ACL_RT_HAC_TYPE_RDMA = 5, /* copies over the network */
    ACL_RT_HAC_TYPE_SDMA = 6, /* copies within the system */
    ACL_RT_HAC_TYPE_DVPP = 7, /* image processor */
    ACL_RT_HAC_TYPE_UDMA = 8, /* copies over the unified bus */
    ACL_RT_HAC_TYPE_CCU = 9, /* collective communication unit */
} aclrtHacType;

/* Whether a unit can reach host memory. */
typedef enum aclrtHostMemMapCapability {
    ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0, /* it cannot */
    ACL_RT_HOST_MEM_MAP_SUPPORTED = 1, /* it can */
} aclrtHostMemMapCapability;

/* The link over which another device reaches memory. */
typedef enum aclrtMemLinkType {
    ACL_RT_MEM_ACCESS_LINK_SIO = 0, /* between the dies of a package */
    ACL_RT_MEM_ACCESS_LINK_HCCS = 1, /* HCCS */
    ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2, /* one port of the unified bus */
    ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3, /* several ports of the unified bus */
} aclrtMemLinkType;

/* What an atomic operation can be used for, one bit each. */
typedef enum aclrtAtomicOperationCapability {
    ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1, /* signed */
    ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2, /* unsigned */
    ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4, /* old spelling of the next */
    ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4, /* without an answer */
    ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8, /* scalar8 */
    ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16, /* scalar16 */
    ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32, /* scalar32 */
    ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64, /* scalar64 */
    ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128, /* scalar128 */
    ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256, /* vector32x4 */
} aclrtAtomicOperationCapability;

/* An atomic operation. */
typedef enum aclrtAtomicOperation {
    ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0, /* integer add */
    ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1, /* integer min */
    ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2, /* integer max */
    ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3, /* integer increment */
    ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4, /* integer decrement */
    ACL_RT_ATOMIC_OPERATION_AND = 5, /* and */
    ACL_RT_ATOMIC_OPERATION_OR = 6, /* or */
    ACL_RT_ATOMIC_OPERATION_XOR = 7, /* xor */
    ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8, /* exchange */
    ACL_RT_ATOMIC_OPERATION_CAS = 9, /* cas */
    ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10, /* float add */
    ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11, /* float min */
    ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12, /* float max */
    ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30, /* dma add */
    ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31, /* dma min */
    ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32, /* dma max */
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40, /* simd scalar add */
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41, /* simd scalar min */
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42, /* simd scalar max */
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43, /* simd scalar cas */
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44, /* simd scalar exch */
} aclrtAtomicOperation;

/* How a condition starts. */
typedef enum aclmdlRICondHandleFlag {
    ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1, /* every run starts with the default value */
} aclmdlRICondHandleFlag;

/* Kind of conditional task. */
typedef enum aclmdlRICondTaskType {
    ACL_MODEL_RI_COND_TYPE_IF = 0, /* runs a graph if the condition is not 0, else another */
    ACL_MODEL_RI_COND_TYPE_WHILE = 1, /* runs a graph while the condition is not 0 */
    ACL_MODEL_RI_COND_TYPE_SWITCH = 2, /* runs the graph of the number in the condition */
} aclmdlRICondTaskType;

/* A limit of the device. */
typedef enum aclrtDeviceLimit {
    ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0, /* stack of a SIMT thread, bytes */
    ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1, /* stack for diverging SIMT threads, bytes */
    ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2, /* stack of a core, bytes */
    ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3, /* room for printed text per core, bytes */
    ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4, /* room for printed text of SIMT threads, bytes */
} aclrtDeviceLimit;

/* Whose start or end a callback is registered for. */
typedef enum aclRegisterCallbackType {
    ACL_REG_TYPE_ACL_MODEL = 0, /* models */
    ACL_REG_TYPE_ACL_OP_EXECUTOR = 1, /* operators */
    ACL_REG_TYPE_ACL_OP_CBLAS = 2, /* linear algebra */
    ACL_REG_TYPE_ACL_OP_COMPILER = 3, /* operator compiler */
    ACL_REG_TYPE_ACL_TDT_CHANNEL = 4, /* data channels */
    ACL_REG_TYPE_ACL_TDT_QUEUE = 5, /* data queues */
    ACL_REG_TYPE_ACL_DVPP = 6, /* image processing */
    ACL_REG_TYPE_ACL_RETR = 7, /* retrieval */
    ACL_REG_TYPE_OTHER = 65535, /* anything else */
} aclRegisterCallbackType;

/* State of a process for snapshots. */
typedef enum aclrtProcessState {
    ACL_RT_PROCESS_STATE_RUNNING = 0, /* it runs */
    ACL_RT_PROCESS_STATE_LOCKED = 1, /* its calls wait */
} aclrtProcessState;

/* An attribute of a memory pool. */
typedef enum aclrtMemPoolAttr {
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, /* 1: memory freed in a stream may be reused in one that waited for it */
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2, /* 1: memory may be reused when its free has happened */
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* 1: the runtime may add waits to reuse memory */
    ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4, /* unused bytes that are kept at a synchronisation */
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5, /* bytes the pool holds */
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6, /* most bytes it held */
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7, /* bytes in use */
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8, /* most bytes in use */
} aclrtMemPoolAttr;

typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo; /* More about how busy a device is; nothing yet */
typedef struct tagRtGroupInfo aclrtGroupInfo; /* The core groups of a device */
typedef struct rtExceptionInfo aclrtExceptionInfo; /* What a task that failed was */

/* Called by a stream in its order, on a thread of the program's */
typedef void (*aclrtCallback)(void* userData);

/* Called by a stream in its order */
typedef void (*aclrtHostFunc)(void* args);

/* Called when a task fails */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo* exceptionInfo);

/* Called when a kernel of a binary fails */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo* exceptionInfo, void* userData);

/* Called before and after a device is selected or reset */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void* args);

/* Called at a stage of a snapshot; anything but 0 stops it */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void* args);

/* Called when a stream was made and before it is destroyed */
typedef void (*aclrtStreamStateCallback)(aclrtStream stm, aclrtStreamState state, void* args);

/* Called before and after the tasks of a device are aborted */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void* args);

/* Called by aclInit with the text of its configuration */
typedef aclError (*aclInitCallbackFunc)(const char* configStr, size_t len, void* userData);

/* Called by aclFinalize */
typedef aclError (*aclFinalizeCallbackFunc)(void* userData);

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

/* A place where managed memory may live. */
typedef struct aclrtMemManagedLocation {
    aclrtMemManagedLocationType type; /* Kind of place. */
    int32_t id; /* Device or NUMA node. */
} aclrtMemManagedLocation;

/* Processes of another server. */
typedef struct aclrtServerPid {
    uint32_t sdid; /* Number of the server's device. */
    int32_t* pid; /* First process number. */
    size_t num; /* Number of process numbers. */
} aclrtServerPid;

/* How busy a device is, percent; -1 where unknown. */
typedef struct aclrtUtilizationInfo {
    int32_t cubeUtilization; /* Cube cores. */
    int32_t vectorUtilization; /* Vector cores. */
    int32_t aicpuUtilization; /* AI CPUs. */
    int32_t memoryUtilization; /* Device memory. */
    aclrtUtilizationExtendInfo* utilizationExtend; /* Null. */
} aclrtUtilizationInfo;

/* Device memory of one component. */
typedef struct aclrtMemUsageInfo {
    char name[32]; /* Name of the component. */
    uint64_t curMemSize; /* Bytes it uses. */
    uint64_t memPeakSize; /* Most bytes it used. */
    size_t reserved[8]; /* Zero. */
} aclrtMemUsageInfo;

/* What physical memory is asked for. */
typedef struct aclrtPhysicalMemProp {
    aclrtMemHandleType handleType; /* How it can be exported. */
    aclrtMemAllocationType allocationType; /* How it is allocated. */
    aclrtMemAttr memAttr; /* Kind of memory and size of its pages. */
    aclrtMemLocation location; /* Where. */
    uint64_t reserve; /* Zero. */
} aclrtPhysicalMemProp;

/* A range of device memory with errors that cannot be corrected. */
typedef struct aclrtMemUceInfo {
    void* addr; /* Start. */
    size_t len; /* Bytes. */
    size_t reserved[14]; /* Zero. */
} aclrtMemUceInfo;

/* Several such ranges. */
typedef struct aclrtMemUceInfoArray {
    size_t arraySize; /* Number of ranges. */
    aclrtMemUceInfo memUceInfoArray[20]; /* The ranges. */
} aclrtMemUceInfoArray;

/* Detail of a device error; which field counts, the error's type says. */
typedef union aclrtErrorInfoDetail {
    aclrtMemUceInfoArray uceInfo; /* Memory errors. */
    aclrtAicoreErrorType aicoreErrType; /* Error of an AI Core. */
} aclrtErrorInfoDetail;

/* The error a device has. */
typedef struct aclrtErrorInfo {
    uint8_t tryRepair; /* 1: a repair can be tried. */
    uint8_t hasDetail; /* 1: there is a detail. */
    uint8_t reserved[2]; /* Zero. */
    aclrtErrorType errorType; /* Kind of error. */
    aclrtErrorInfoDetail detail; /* Detail. */
} aclrtErrorInfo;

/* A kernel in a graph. */
typedef struct aclmdlRIKernelTaskParams {
    aclrtFuncHandle funcHandle; /* The kernel. */
    aclrtLaunchKernelCfg* cfg; /* Launch attributes. */
    void* args; /* Arguments. */
    uint32_t isHostArgs; /* 1: they are host memory. */
    size_t argsSize; /* Their size, bytes. */
    uint32_t numBlocks; /* Number of blocks. */
    uint32_t rsv[10]; /* Zero. */
} aclmdlRIKernelTaskParams;

/* The record of an event in a graph. */
typedef struct aclmdlRIEventRecordTaskParams {
    aclrtEvent event; /* The event. */
    uint32_t eventFlag; /* Flags it was made with. */
    uint32_t recordFlag; /* Flags of the record. */
} aclmdlRIEventRecordTaskParams;

/* The wait for an event in a graph. */
typedef struct aclmdlRIEventWaitTaskParams {
    aclrtEvent event; /* The event. */
    uint32_t eventFlag; /* Flags it was made with. */
    uint32_t waitFlag; /* Flags of the wait. */
} aclmdlRIEventWaitTaskParams;

/* The reset of an event in a graph. */
typedef struct aclmdlRIEventResetTaskParams {
    aclrtEvent event; /* The event. */
    uint32_t eventFlag; /* Flags it was made with. */
    uint32_t resetFlag; /* Flags of the reset. */
} aclmdlRIEventResetTaskParams;

/* The write of a word in a graph. */
typedef struct aclmdlRIValueWriteTaskParams {
    void* devAddr; /* Where, device memory. */
    uint64_t value; /* What. */
} aclmdlRIValueWriteTaskParams;

/* The wait for a word in a graph. */
typedef struct aclmdlRIValueWaitTaskParams {
    void* devAddr; /* Where, device memory. */
    uint64_t value; /* What it is compared with. */
    uint32_t flag; /* `ACL_STREAM_WAIT_VALUE_*`. */
} aclmdlRIValueWaitTaskParams;

/* Parameters of a task of a graph; which field counts, the task's type says. */
typedef union aclmdlRITaskParamsValue {
    uint8_t rsv2[128]; /* Fixes the size. */
    aclmdlRIKernelTaskParams kernelTaskParams; /* A kernel. */
    aclmdlRIEventRecordTaskParams eventRecordTaskParams; /* The record of an event. */
    aclmdlRIEventWaitTaskParams eventWaitTaskParams; /* The wait for an event. */
    aclmdlRIEventResetTaskParams eventResetTaskParams; /* The reset of an event. */
    aclmdlRIValueWriteTaskParams valueWriteTaskParams; /* The write of a word. */
    aclmdlRIValueWaitTaskParams valueWaitTaskParams; /* The wait for a word. */
} aclmdlRITaskParamsValue;

/* A task of a graph. */
typedef struct aclmdlRITaskParams {
    aclmdlRITaskType type; /* What it does. */
    uint32_t rsv0[3]; /* Zero. */
    aclrtTaskGrp taskGrp; /* The group it belongs to, or null. */
    void* opInfoPtr; /* Description of its operator, or null. */
    size_t opInfoSize; /* Size of the description, bytes. */
    uint8_t rsv1[32]; /* Zero. */
    __extension__ union {
        uint8_t rsv2[128]; /* Fixes the size. */
        aclmdlRIKernelTaskParams kernelTaskParams; /* A kernel. */
        aclmdlRIEventRecordTaskParams eventRecordTaskParams; /* The record of an event. */
        aclmdlRIEventWaitTaskParams eventWaitTaskParams; /* The wait for an event. */
        aclmdlRIEventResetTaskParams eventResetTaskParams; /* The reset of an event. */
        aclmdlRIValueWriteTaskParams valueWriteTaskParams; /* The write of a word. */
        aclmdlRIValueWaitTaskParams valueWaitTaskParams; /* The wait for a word. */
    };
} aclmdlRITaskParams;

/* One cache operation that a barrier waits for. */
typedef struct aclrtBarrierCmoInfo {
    aclrtCmoType cmoType; /* Which operation. */
    uint32_t barrierId; /* Number of the barrier. */
} aclrtBarrierCmoInfo;

/* The cache operations that a barrier waits for. */
typedef struct aclrtBarrierTaskInfo {
    size_t barrierNum; /* Number of operations. */
    aclrtBarrierCmoInfo cmoInfo[6]; /* The operations. */
} aclrtBarrierTaskInfo;

/* Where copies of a batch begin and end. */
typedef struct aclrtMemcpyBatchAttr {
    aclrtMemLocation dstLoc; /* Destination. */
    aclrtMemLocation srcLoc; /* Source. */
    uint8_t rsv[16]; /* Zero. */
} aclrtMemcpyBatchAttr;

/* A parameter of random numbers: a value or the address of one. */
typedef struct aclrtRandomParaInfo {
    uint8_t isAddr; /* 1: `valueOrAddr` holds a device address, else the value. */
    uint8_t valueOrAddr[8]; /* Value or address, little endian. */
    uint8_t size; /* Size of the value, bytes. */
    uint8_t rsv[6]; /* Zero. */
} aclrtRandomParaInfo;

/* Bits that are set with a probability. */
typedef struct aclrtDropoutBitmaskInfo {
    aclrtRandomParaInfo dropoutRation; /* The probability. */
} aclrtDropoutBitmaskInfo;

/* A uniform distribution. */
typedef struct aclrtUniformDisInfo {
    aclrtRandomParaInfo min; /* Smallest number. */
    aclrtRandomParaInfo max; /* Largest number. */
} aclrtUniformDisInfo;

/* A normal distribution. */
typedef struct aclrtNormalDisInfo {
    aclrtRandomParaInfo mean; /* Mean. */
    aclrtRandomParaInfo stddev; /* Standard deviation. */
} aclrtNormalDisInfo;

/* Parameters of a distribution; which field counts, the distribution's type says. */
typedef union aclrtRandomNumFuncParam {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo; /* Bits that are set with a probability. */
    aclrtUniformDisInfo uniformDisInfo; /* Uniform. */
    aclrtNormalDisInfo normalDisInfo; /* Normal, also truncated. */
} aclrtRandomNumFuncParam;

/* A distribution of random numbers. */
typedef struct aclrtRandomNumFuncParaInfo {
    aclrtRandomNumFuncType funcType; /* Which one. */
    aclrtRandomNumFuncParam paramInfo; /* Its parameters. */
} aclrtRandomNumFuncParaInfo;

/* A task that makes random numbers. */
typedef struct aclrtRandomNumTaskInfo {
    aclDataType dataType; /* Type of the numbers. */
    aclrtRandomNumFuncParaInfo randomNumFuncParaInfo; /* Distribution. */
    void* randomParaAddr; /* Device memory for the parameters, or null. */
    void* randomResultAddr; /* Where the numbers go. */
    void* randomCounterAddr; /* Counter of the generator, device memory. */
    aclrtRandomParaInfo randomSeed; /* Seed. */
    aclrtRandomParaInfo randomNum; /* How many numbers. */
    uint8_t rsv[8]; /* Zero. */
} aclrtRandomNumTaskInfo;

/* New parameters of a random number task. */
typedef struct aclrtRandomTaskUpdateAttr {
    void* srcAddr; /* Where they are, device memory. */
    size_t size; /* Bytes. */
    uint32_t rsv[4]; /* Zero. */
} aclrtRandomTaskUpdateAttr;

/* New parameters of a kernel task. */
typedef struct aclrtAicAivTaskUpdateAttr {
    void* binHandle; /* Binary of the kernel. */
    void* funcEntryAddr; /* Device word that holds the entry. */
    void* blockDimAddr; /* Device word that holds the number of blocks. */
    uint32_t rsv[4]; /* Zero. */
} aclrtAicAivTaskUpdateAttr;

/* New parameters of a task; which field counts, the id says. */
typedef union aclrtUpdateTaskAttrVal {
    aclrtRandomTaskUpdateAttr randomTaskAttr; /* Random numbers. */
    aclrtAicAivTaskUpdateAttr aicAivTaskAttr; /* A kernel. */
} aclrtUpdateTaskAttrVal;

/* How a task is updated. */
typedef struct aclrtTaskUpdateInfo {
    aclrtUpdateTaskAttrId id; /* Kind of task. */
    aclrtUpdateTaskAttrVal val; /* New parameters. */
} aclrtTaskUpdateInfo;

/* Arguments of saving device state. */
typedef struct aclrtSnapShotBackupArgs {
    uint32_t backupFlags; /* Zero. */
    char reserved[60]; /* Zero. */
} aclrtSnapShotBackupArgs;

/* Arguments of restoring device state. */
typedef struct aclrtSnapShotRestoreArgs {
    uint32_t restoreFlags; /* Zero. */
    char reserved[60]; /* Zero. */
} aclrtSnapShotRestoreArgs;

/* How a counter is changed. */
typedef struct aclrtCntNotifyRecordInfo {
    aclrtCntNotifyRecordMode mode; /* How. */
    uint32_t value; /* By what. */
} aclrtCntNotifyRecordInfo;

/* What a wait for a counter waits for. */
typedef struct aclrtCntNotifyWaitInfo {
    aclrtCntNotifyWaitMode mode; /* Comparison. */
    uint32_t value; /* What it is compared with. */
    uint32_t timeout; /* Longest wait, seconds; 0: no limit. */
    uint8_t isClear; /* 1: the counter becomes 0 afterwards. */
    uint8_t rsv[3]; /* Zero. */
} aclrtCntNotifyWaitInfo;

/* Who may do what with mapped memory. */
typedef struct aclrtMemAccessDesc {
    aclrtMemAccessFlags flags; /* What. */
    aclrtMemLocation location; /* Who. */
    uint8_t rsv[12]; /* Zero. */
} aclrtMemAccessDesc;

/* Key of an event for another process. */
typedef struct aclrtIpcEventHandle {
    char reserved[64]; /* Opaque bytes. */
} aclrtIpcEventHandle;

/* A conditional task. */
typedef struct aclmdlRICondTaskParams {
    aclmdlRICondHandle handle; /* The condition. */
    aclmdlRICondTaskType type; /* Kind of task. */
    uint32_t size; /* Number of graphs. */
    aclmdlRI* modelRIArray; /* The graphs; the runtime makes them and writes their handles here. */
} aclmdlRICondTaskParams;

/* What a memory pool is made of. */
typedef struct aclrtMemPoolProps {
    aclrtMemAllocationType allocType; /* How its memory is allocated. */
    aclrtMemHandleType handleType; /* How it can be exported. */
    aclrtMemLocation location; /* Where. */
    size_t maxSize; /* Most bytes; 0: no limit. */
    uint8_t reserved[32]; /* Zero. */
} aclrtMemPoolProps;

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

/* Fault record: kernel argument pointer and length. */
ACL_FUNC_VISIBILITY aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr, uint32_t* devArgsLen);

/* Fault record: kernel handle. */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info, aclrtFuncHandle* func);

/* Attach a fault hook to one kernel binary. */
ACL_FUNC_VISIBILITY aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback, void* userData);

/* Launch with args already on device. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize, aclrtStream stream);

/* Kernel handle from host stub symbol. */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle);

/* Bytes for user-owned args handle. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize);

/* Bytes for user-owned args buffer. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize);

/* Begin argument list. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle);

/* Begin argument list in user memory. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void* userHostMem, size_t actualArgsSize);

/* Add argument. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize, aclrtParamHandle* paramHandle);

/* Add pointer filled by runtime. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle);

/* Host scratch behind placeholder. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize, void** bufferAddr);

/* Rewrite one argument. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param, size_t paramSize);

/* Launch with args handle and attributes. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve);

/* End argument list. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/* Launch with device args and attributes. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize, aclrtLaunchKernelCfg* cfg, aclrtStream stream);

/* Launch with pointer-array args. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg, void** args);

/* Device address used by inter-core sync. */
ACL_FUNC_VISIBILITY aclError aclrtGetHardwareSyncAddr(void** addr);

/* Kernel property (type, ratio, ...). */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t* attrValue);

/* Binary owning a kernel. */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetBinary(aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle);

/* Read a process-wide option (determinism, ...). */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/* Set a process-wide option. */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/* Read cube/vector core cap of a device. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value);

/* Cap cube/vector cores for the process. */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);

/* Restore core caps. */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/* Read core cap of a stream. */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value);

/* Cap cores for one stream. */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);

/* Restore stream core caps. */
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/* Adopt a stream's core cap in this thread. */
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/* Stop adopting it. */
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/* Core count effective in this thread. */
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);

/* Choose task scheduler core (AICPU vs AICORE TS). */
ACL_FUNC_VISIBILITY aclError aclrtSetTsDevice(aclrtTsId tsId);

/* Core and memory load percentages. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo);

/* Can device A reach memory of B. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/* Open one-way peer access. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/* Close peer access. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/* Choose saturate vs Inf/NaN float mode. */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/* Read the float overflow mode. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);

/* Enqueue copy of overflow flags to device memory. */
ACL_FUNC_VISIBILITY aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream);

/* Enqueue clear of overflow flags. */
ACL_FUNC_VISIBILITY aclError aclrtResetOverflowStatus(aclrtStream stream);

/* Device health enum. */
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus);

/* Pid as seen outside containers. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t* pid);

/* Lowest and highest stream priority values. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority);

/* Is a device feature supported. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value);

/* Unique id of a device. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid);

/* Set a device-level limit (print FIFO, stack). */
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/* Read a device-level limit. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value);

/* PCI address of a device. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len);

/* Device id from a PCI address. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId);

/* Atomics usable device to host memory. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations, uint32_t count, int32_t deviceId);

/* Atomics usable between two devices. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations, uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);

/* Kind of link between two devices. */
ACL_FUNC_VISIBILITY aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value);

/* Visible id to logical id. */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t* logicDevId);

/* Logical id to visible id. */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t* userDevid);

/* Physical id to logical id. */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t* logicDevId);

/* Logical id to physical id. */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t* phyDevId);

/* Physical id to visible id. */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t* userDevId);

/* Visible id to physical id. */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t* phyDevId);

/* Hook on device set/reset. */
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback, void* args);

/* Is peer access currently on. */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status);

/* Read a context-scope option. */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/* Set a context-scope option. */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/* Handle of the current context's default stream. */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);

/* Is the device's default context alive. */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active);

/* Device address of context overflow flags. */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr);

/* Numeric id of a stream. */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);

/* Priority of a queue. */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);

/* Creation flags of a queue. */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);

/* Per-queue overflow detection on/off. */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/* Read that switch. */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);

/* Cancel running and pending tasks of a queue. */
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

/* How many more queues can be made. */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);

/* Write one queue attribute. */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);

/* Read one queue attribute. */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);

/* Hook on queue create/destroy. */
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback, void* args);

/* Stop pending tasks of a queue. */
ACL_FUNC_VISIBILITY aclError aclrtStreamStop(aclrtStream stream);

/* Erase recorded tasks of a persistent queue. */
ACL_FUNC_VISIBILITY aclError aclrtPersistentTaskClean(aclrtStream stream);

/* Signal, optional capture-external flag. */
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);

/* Wait, optional capture-external flag. */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag);

/* Process default limit of event waits. */
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/* Numeric id of an event. */
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);

/* Free event slots. */
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t* eventCount);

/* Create one-to-one signal object. */
ACL_FUNC_VISIBILITY aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);

/* Free it. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyNotify(aclrtNotify notify);

/* Enqueue signal. */
ACL_FUNC_VISIBILITY aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/* Enqueue wait that auto-clears. */
ACL_FUNC_VISIBILITY aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);

/* Numeric id of notify. */
ACL_FUNC_VISIBILITY aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);

/* Clear several notifies. */
ACL_FUNC_VISIBILITY aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);

/* Pinned host memory with attributes. */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg);

/* Map user host memory to device. */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr);

/* Register user host memory with flags. */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);

/* Device view of registered host memory. */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);

/* Undo registration. */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void* ptr);

/* Can host memory be mapped for a unit. */
ACL_FUNC_VISIBILITY aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType, aclrtHostMemMapCapability* capabilities);

/* Wait, then release pinned host memory. */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void* hostPtr);

/* Location kind and device of an address. */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes);

/* One attribute of managed range. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void* ptr, size_t size, void* data, size_t dataSize);

/* Several attributes of managed range. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes, size_t numAttributes, const void* ptr, size_t size, void** data, size_t* dataSizes);

/* Memory visible to host and device. */
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag);

/* Placement hint for managed range. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedAdvise(const void* ptr, uint64_t size, aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location);

/* Map range to another device. */
ACL_FUNC_VISIBILITY aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t flags);

/* Queued migration of managed range. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation location, uint32_t flags, aclrtStream stream);

/* Queued migration of many ranges. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count, aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs, size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

/* Enqueue u64 store to device word. */
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/* Enqueue compare-wait on device word. */
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/* Tie a user thread to a stream's callbacks. */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/* Enqueue host callback for subscribed thread. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream);

/* User thread: run pending callbacks. */
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/* Untie thread. */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/* Id of thread's latest enqueued task. */
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t* taskId);

/* Kernel time limit, seconds. */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/* Kernel time limit, ms. */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/* Kernel time limit in us, returns effective value. */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);

/* Step of the hardware timeout. */
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t* interval);

/* Queued reduce copy (sum/max/min). */
ACL_FUNC_VISIBILITY aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind, aclDataType type, aclrtStream stream, void* reserve);

/* Queued read of overflow flags. */
ACL_FUNC_VISIBILITY aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream);

/* Queued clear of overflow flags. */
ACL_FUNC_VISIBILITY aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/* Queued read of flags with check mode. */
ACL_FUNC_VISIBILITY aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t checkMode, aclrtStream stream);

/* Queued clear of flags with check mode. */
ACL_FUNC_VISIBILITY aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);

/* Enqueue host function on runtime thread. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);

/* Queued random fill. */
ACL_FUNC_VISIBILITY aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, aclrtStream stream, void* reserve);

/* Read current kernel time limit. */
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t* timeoutMs);

/* Queued rewrite of another task. */
ACL_FUNC_VISIBILITY aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo* info, aclrtStream execStream);

/* Set the single process-wide task-fault hook (old). */
ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/* Add a named task-fault hook. */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/* Remove a named task-fault hook. */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/* Fault record: task id. */
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);

/* Fault record: stream id. */
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);

/* Fault record: host thread id. */
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);

/* Fault record: device id. */
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);

/* Fault record: error code. */
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);

/* List uncorrectable memory error ranges. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize, size_t* retSize);

/* Cancel everything queued on a device. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/* Repair listed uncorrectable ranges. */
ACL_FUNC_VISIBILITY aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize);

/* Hook around device-wide cancel. */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback, void* args);

/* Detailed hardware/software fault description. */
ACL_FUNC_VISIBILITY aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo);

/* Attempt recovery of a reported device fault. */
ACL_FUNC_VISIBILITY aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo);

/* Set field in stream config handle. */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr, const void* attrValue, size_t valueSize);

/* New queue from config handle. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle);

/* Tie a thread to host-function tasks of stream. */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/* Run pending host-function tasks. */
ACL_FUNC_VISIBILITY aclError aclrtProcessHostFunc(int32_t timeout);

/* Untie it. */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/* Enqueue user profiling mark. */
ACL_FUNC_VISIBILITY aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream);

/* Attach shape info to last captured task. */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskOpInfo(const void* infoPtr, size_t infoSize);

/* Attach debug info to last captured task. */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskExtendInfo(const char* extendInfoPtr, size_t infoSize);

/* Flush device L2. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceL2CacheFlush(void* rsv);

/* Make stream config handle. */
ACL_FUNC_VISIBILITY aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void);

/* Free stream config handle. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle);

/* Enqueue task that activates another queue. */
ACL_FUNC_VISIBILITY aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

/* Enqueue conditional jump to a queue. */
ACL_FUNC_VISIBILITY aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue, aclrtCompareDataType dataType, aclrtStream trueStream, aclrtStream falseStream, aclrtStream stream);

/* Jump target object for model streams. */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel* label);

/* Place label in stream. */
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/* Free label. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

/* Array of labels for indexed jump. */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList);

/* Free label array. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/* Enqueue jump by device-side index. */
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream);

/* Read graph task parameters. */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params);

/* Write graph task parameters. */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params);

/* Read launch attribute of graph kernel. */
ACL_FUNC_VISIBILITY aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId, aclrtLaunchKernelAttrValue* attrValue);

/* Apply pending task edits. */
ACL_FUNC_VISIBILITY aclError aclmdlRIUpdate(aclmdlRI modelRI);

/* Disable a graph task. */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskDisable(aclmdlRITask task);

/* Start recording a stream. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/* Recording state and graph of stream. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI);

/* Stop recording, return graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);

/* Dump graph to log. */
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

/* Dump graph to JSON file. */
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags);

/* Swap thread's capture mode. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);

/* Queue graph run. */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

/* Run graph and wait. */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

/* Free graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

/* Mark start of updatable group. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);

/* Mark end of updatable group. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);

/* Start updating a group. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);

/* End updating a group. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/* Start explicit graph build. */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag);

/* Bind persistent stream to graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);

/* Place end marker. */
ACL_FUNC_VISIBILITY aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

/* Finish explicit build. */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve);

/* Unbind stream. */
ACL_FUNC_VISIBILITY aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

/* Name a graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRISetName(aclmdlRI modelRI, const char* name);

/* Read graph name. */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name);

/* Numeric graph id. */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId);

/* Hook on graph destroy. */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData);

/* Remove hook. */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);

/* Streams of graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams);

/* Tasks of a graph stream. */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks);

/* Kind of graph task. */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type);

/* Sequence number of graph task. */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id);

/* Can binary for one arch run here. */
ACL_FUNC_VISIBILITY aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible);

/* Stop a running graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRIAbort(aclmdlRI modelRI);

/* Condition variable for graph branches. */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag, aclmdlRICondHandle* handle);

/* Device pointer of condition. */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr);

/* Add if/while/switch node. */
ACL_FUNC_VISIBILITY aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags);

/* Record into an existing graph. */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode);

/* Export event to other process. */
ACL_FUNC_VISIBILITY aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle);

/* Import event from other process. */
ACL_FUNC_VISIBILITY aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event);

/* Share notify: make key. */
ACL_FUNC_VISIBILITY aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags);

/* Share notify: open key. */
ACL_FUNC_VISIBILITY aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags);

/* Share notify: pid whitelist. */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);

/* Share notify: whitelist on another server. */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid* serverPids, size_t num);

/* Reserve virtual range. */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags);

/* Give back virtual range. */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void* virPtr);

/* Physical block handle. */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop, uint64_t flags);

/* Free physical block. */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/* Bind physical block to virtual range. */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);

/* Undo binding. */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void* virPtr);

/* Bind without access rights. */
ACL_FUNC_VISIBILITY aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);

/* Share physical block (u64 handle). */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags, uint64_t* shareableHandle);

/* Share physical block (typed handle). */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType shareType, void* shareableHandle);

/* Open shared block (u64). */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle* handle);

/* Open shared block (typed). */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags, aclrtDrvMemHandle* handle);

/* Pid whitelist (u64). */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum);

/* Pid whitelist (typed). */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, int32_t* pid, size_t pidNum);

/* Granule for physical blocks. */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option, size_t* granularity);

/* Set rights of range. */
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count);

/* Read rights of range. */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag);

/* Handle behind an address. */
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle);

/* Properties of a physical block. */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* prop);

/* Reserve range outside unified memory. */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags);

/* Base and size containing an address. */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize);

/* Alias a range through another link. */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc, uint32_t linkIdx);

/* Advise link type before binding. */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink);

/* Share device memory: make key. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags);

/* Drop shared memory key. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char* key);

/* Share device memory: open key. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);

/* Pid whitelist for key. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);

/* Attribute of shared key. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr);

/* Whitelist on another server. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num);

/* Hook run while aclInit executes. */
ACL_FUNC_VISIBILITY aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void* userData);

/* Remove an init hook. */
ACL_FUNC_VISIBILITY aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);

/* Hook run while finalize executes. */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void* userData);

/* Remove a finalize hook. */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc);

/* Counter-valued notify. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag);

/* Free counter notify. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/* Enqueue store/add on counter. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo* info);

/* Enqueue compare-wait on counter. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo* info);

/* Enqueue counter clear. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

/* Numeric id of counter notify. */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId);

/* Device memory, no extra 32-byte pad. */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/* Device memory with cache enabled. */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/* Device memory with attribute list. */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);

/* Device memory for the scheduler. */
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);

/* Write back cached range. */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void* devPtr, size_t size);

/* Drop cached range. */
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void* devPtr, size_t size);

/* Wait for device, then release. */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void* devPtr);

/* Bytes used per component. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum, size_t* outputNum);

/* Do addresses belong to given memory types. */
ACL_FUNC_VISIBILITY aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult, uint32_t reserve);

/* Blocking fill with 32-bit value. */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N);

/* Queued fill with 32-bit value. */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream);

/* Queued copy, sync fallback for pageable (old). */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);

/* Blocking pitched copy. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind);

/* Queued pitched copy. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/* Size of copy descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize);

/* Fill copy descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count, void* config);

/* Queued copy through pointer-to-pointer plus offset. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset, const void** src, size_t count, size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream);

/* Queued copy from descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream);

/* Blocking list of copies. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex);

/* Blocking list of copies, no fail index. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs);

/* Queued list of copies. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex, aclrtStream stream);

/* Queued list of copies, no fail index. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, aclrtStream stream);

/* Queued cache prefetch/flush/invalidate. */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

/* Queued cache op with barrier id. */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t barrierId, aclrtStream stream);

/* Queued wait for cache barrier. */
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag);

/* Size of cache-op descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t* size);

/* Fill cache-op descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size);

/* Queued cache op from descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void* reserve);

/* Device address of a device variable. */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr);

/* Size of a device variable. */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolSize(const void* symbol, size_t* size);

/* Read a device variable. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset, aclrtMemcpyKind kind);

/* Queued read of device variable. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset, aclrtMemcpyKind kind, aclrtStream stream);

/* Write a device variable. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset, aclrtMemcpyKind kind);

/* Queued write of device variable. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset, aclrtMemcpyKind kind, aclrtStream stream);

/* Host-side kernel binary descriptor (old). */
ACL_FUNC_VISIBILITY aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen);

/* Free that descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyBinary(aclrtBinary binary);

/* Load descriptor to device (old). */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoad(aclrtBinary binary, aclrtBinHandle* binHandle);

/* Device image address and size. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetDevAddress(aclrtBinHandle binHandle, void** binAddr, size_t* binSize);

/* Device variable by name. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr, size_t* size);

/* Device entry addresses of kernel. */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr);

/* Code sizes of kernel. */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize);

/* Register AICPU kernel. */
ACL_FUNC_VISIBILITY aclError aclrtRegisterCpuFunc(aclrtBinHandle handle, const char* funcName, const char* kernelName, aclrtFuncHandle* funcHandle);

/* SIMT launch, pointer-array args (950). */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize, aclrtStream stream, aclrtLaunchKernelCfg* cfg, void** args);

/* SIMT launch, packed args (950). */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithHostArgs(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize, aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);

/* Free UB bytes for dynamic use. */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags, size_t* dynamicUbufSize);

/* Select core group. */
ACL_FUNC_VISIBILITY aclError aclrtSetGroup(int32_t groupId);

/* Number of groups. */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupCount(uint32_t* count);

/* Group info object. */
ACL_FUNC_VISIBILITY aclrtGroupInfo* aclrtCreateGroupInfo(void);

/* Free it. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo);

/* Fill info of all groups. */
ACL_FUNC_VISIBILITY aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo);

/* Read one group property. */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr, void* attrValue, size_t valueLen, size_t* paramRetSize);

/* Enable dump subsystem. */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/* Apply dump JSON. */
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char* dumpCfgPath);

/* Disable dump subsystem. */
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

/* Mbuf chain: item by index. */
ACL_FUNC_VISIBILITY aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf);

/* Mbuf chain: length. */
ACL_FUNC_VISIBILITY aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num);

/* Mbuf chain: append. */
ACL_FUNC_VISIBILITY aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/* Mbuf: new reference. */
ACL_FUNC_VISIBILITY aclError aclrtCopyBufRef(aclrtMbuf buf, aclrtMbuf* newBuf);

/* Mbuf: read private area. */
ACL_FUNC_VISIBILITY aclError aclrtGetBufUserData(aclrtMbuf buf, void* dataPtr, size_t size, size_t offset);

/* Mbuf: write private area. */
ACL_FUNC_VISIBILITY aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset);

/* Mbuf: data pointer. */
ACL_FUNC_VISIBILITY aclError aclrtGetBufData(aclrtMbuf buf, void** dataPtr, size_t* size);

/* Mbuf: valid length. */
ACL_FUNC_VISIBILITY aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len);

/* Mbuf: set valid length. */
ACL_FUNC_VISIBILITY aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);

/* Mbuf: free. */
ACL_FUNC_VISIBILITY aclError aclrtFreeBuf(aclrtMbuf buf);

/* Mbuf: allocate. */
ACL_FUNC_VISIBILITY aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size);

/* Freeze API calls of a process. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessLock(int pid, void* reserve);

/* Unfreeze. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessUnlock(int pid, void* reserve);

/* Save device state. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args);

/* Restore device state. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args);

/* Hook per snapshot stage. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void* args);

/* Remove hook. */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif /* TOPROPE_ACL_ACL_RT_H */
