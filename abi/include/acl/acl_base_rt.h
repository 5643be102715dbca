/* The CANN runtime interface: basic types, codes of the ACL layer, small helpers.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_BASE_RT_H
#define TOPROPE_ACL_ACL_BASE_RT_H

#include <stddef.h>
#include <stdint.h>

#ifndef ACL_FUNC_VISIBILITY
#ifdef FUNC_VISIBILITY
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define ACL_FUNC_VISIBILITY
#endif
#endif

#ifndef ACL_DEPRECATED
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a call; 0 is success. */
typedef int aclError;
/* Half float as a bit pattern. */
typedef uint16_t aclFloat16;
/* An address with a size; opaque. */
typedef struct aclDataBuffer aclDataBuffer;

typedef void* aclrtStream; /* A queue of device work; null is the default stream */
typedef void* aclrtEvent; /* A point in a stream that others can wait for */
typedef void* aclrtContext; /* The surroundings of device work: device, default stream, memory */
typedef void* aclrtNotify; /* A signal between streams that resets itself */
typedef void* aclrtCntNotify; /* A counting signal between streams */
typedef void* aclrtLabel; /* A place in a graph to jump to */
typedef void* aclrtLabelList; /* Labels to choose from */
typedef void* aclrtMbuf; /* A shared message buffer */
typedef void* aclmdlRITask; /* One task of a graph */
typedef void* aclrtTaskGrp; /* A group of tasks of a graph */

static const int ACL_ERROR_NONE = 0; /* no error */
static const int ACL_SUCCESS = 0; /* no error */
static const int ACL_ERROR_INVALID_PARAM = 100000; /* an argument is not valid, often a null pointer or a size of zero */
static const int ACL_ERROR_UNINITIALIZE = 100001; /* the runtime is not initialised */
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002; /* aclInit was called again; the earlier initialisation stays in force */
static const int ACL_ERROR_INVALID_FILE = 100003; /* a file cannot be opened or is not a regular file */
static const int ACL_ERROR_WRITE_FILE = 100004; /* a file cannot be written */
static const int ACL_ERROR_INVALID_FILE_SIZE = 100005; /* a file is empty or too large */
static const int ACL_ERROR_PARSE_FILE = 100006; /* a configuration file is not valid JSON */
static const int ACL_ERROR_FILE_MISSING_ATTR = 100007; /* a configuration file lacks a required key */
static const int ACL_ERROR_FILE_ATTR_INVALID = 100008; /* a key of a configuration file has a value that is not allowed */
static const int ACL_ERROR_INVALID_DUMP_CONFIG = 100009; /* the dump section of the configuration is wrong */
static const int ACL_ERROR_INVALID_PROFILING_CONFIG = 100010; /* the profiling section of the configuration is wrong */
static const int ACL_ERROR_INVALID_MODEL_ID = 100011; /* no model has this id */
static const int ACL_ERROR_DESERIALIZE_MODEL = 100012; /* a model file cannot be read back */
static const int ACL_ERROR_PARSE_MODEL = 100013; /* a model file has a wrong format */
static const int ACL_ERROR_READ_MODEL_FAILURE = 100014; /* a model file cannot be read */
static const int ACL_ERROR_MODEL_SIZE_INVALID = 100015; /* a model file has a size that cannot be right */
static const int ACL_ERROR_MODEL_MISSING_ATTR = 100016; /* a model lacks a required attribute */
static const int ACL_ERROR_MODEL_INPUT_NOT_MATCH = 100017; /* the inputs given do not fit the model */
static const int ACL_ERROR_MODEL_OUTPUT_NOT_MATCH = 100018; /* the outputs given do not fit the model */
static const int ACL_ERROR_MODEL_NOT_DYNAMIC = 100019; /* a dynamic shape was set on a model with fixed shapes */
static const int ACL_ERROR_OP_TYPE_NOT_MATCH = 100020; /* the operator type does not fit */
static const int ACL_ERROR_OP_INPUT_NOT_MATCH = 100021; /* the inputs do not fit the operator */
static const int ACL_ERROR_OP_OUTPUT_NOT_MATCH = 100022; /* the outputs do not fit the operator */
static const int ACL_ERROR_OP_ATTR_NOT_MATCH = 100023; /* the attributes do not fit the operator */
static const int ACL_ERROR_OP_NOT_FOUND = 100024; /* no such operator */
static const int ACL_ERROR_OP_LOAD_FAILED = 100025; /* an operator cannot be loaded */
static const int ACL_ERROR_UNSUPPORTED_DATA_TYPE = 100026; /* the data type is not supported here */
static const int ACL_ERROR_FORMAT_NOT_MATCH = 100027; /* the data format does not fit */
static const int ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED = 100028; /* no selector is registered for the kernel binary */
static const int ACL_ERROR_KERNEL_NOT_FOUND = 100029; /* no kernel with this name is registered */
static const int ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED = 100030; /* a selector is registered already */
static const int ACL_ERROR_KERNEL_ALREADY_REGISTERED = 100031; /* a kernel with this name is registered already */
static const int ACL_ERROR_INVALID_QUEUE_ID = 100032; /* no queue has this id */
static const int ACL_ERROR_REPEAT_SUBSCRIBE = 100033; /* the stream is subscribed already */
static const int ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034; /* the stream is not subscribed */
static const int ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035; /* the thread is not subscribed */
static const int ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036; /* no callback arrived in time */
static const int ACL_ERROR_REPEAT_FINALIZE = 100037; /* aclFinalize was called again */
static const int ACL_ERROR_NOT_STATIC_AIPP = 100038; /* the model has no fixed image preprocessing */
static const int ACL_ERROR_COMPILING_STUB_MODE = 100039; /* the program runs against a stub library that is only meant for linking */
static const int ACL_ERROR_GROUP_NOT_SET = 100040; /* no group is selected */
static const int ACL_ERROR_GROUP_NOT_CREATE = 100041; /* the group does not exist */
static const int ACL_ERROR_PROF_ALREADY_RUN = 100042; /* profiling runs already */
static const int ACL_ERROR_PROF_NOT_RUN = 100043; /* profiling does not run */
static const int ACL_ERROR_DUMP_ALREADY_RUN = 100044; /* a dump runs already */
static const int ACL_ERROR_DUMP_NOT_RUN = 100045; /* no dump runs */
static const int ACL_ERROR_PROF_REPEAT_SUBSCRIBE = 148046; /* profiling of this model is subscribed already */
static const int ACL_ERROR_PROF_API_CONFLICT = 148047; /* two ways of profiling were mixed */
static const int ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048; /* max_opqueue_num of the configuration is wrong */
static const int ACL_ERROR_INVALID_OPP_PATH = 148049; /* ASCEND_OPP_PATH does not lead to operators */
static const int ACL_ERROR_OP_UNSUPPORTED_DYNAMIC = 148050; /* the operator has no dynamic shapes */
static const int ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED = 148051; /* something still uses the resource */
static const int ACL_ERROR_UNSUPPORTED_JPEG = 148052; /* this JPEG coding is not supported */
static const int ACL_ERROR_INVALID_BUNDLE_MODEL_ID = 148053; /* no model bundle has this id */
static const int ACL_ERROR_BAD_ALLOC = 200000; /* host memory ran out */
static const int ACL_ERROR_API_NOT_SUPPORT = 200001; /* this function is not offered here */
static const int ACL_ERROR_INVALID_DEVICE = 200002; /* the device cannot be used */
static const int ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003; /* an address does not have the alignment the call needs */
static const int ACL_ERROR_RESOURCE_NOT_MATCH = 200004; /* the resource belongs to something else */
static const int ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005; /* a handle is null, was destroyed or was never created */
static const int ACL_ERROR_FEATURE_UNSUPPORTED = 200006; /* this feature is not offered here */
static const int ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007; /* profiling does not know this module */
static const int ACL_ERROR_STORAGE_OVER_LIMIT = 300000; /* storage is full */
static const int ACL_ERROR_INTERNAL_ERROR = 500000; /* the ACL layer failed */
static const int ACL_ERROR_FAILURE = 500001; /* the ACL layer failed, often on a wrong configuration value */
static const int ACL_ERROR_GE_FAILURE = 500002; /* the graph engine failed */
static const int ACL_ERROR_RT_FAILURE = 500003; /* the runtime failed */
static const int ACL_ERROR_DRV_FAILURE = 500004; /* the driver failed */
static const int ACL_ERROR_PROFILING_FAILURE = 500005; /* profiling failed */

/* Type of one element. */
typedef enum aclDataType {
    ACL_DT_UNDEFINED = -1, /* no type */
    ACL_FLOAT = 0, /* 32-bit float */
    ACL_FLOAT16 = 1, /* 16-bit IEEE float */
    ACL_INT8 = 2, /* signed 8 bits */
    ACL_INT32 = 3, /* signed 32 bits */
    ACL_UINT8 = 4, /* unsigned 8 bits */
    ACL_INT16 = 6, /* signed 16 bits */
    ACL_UINT16 = 7, /* unsigned 16 bits */
    ACL_UINT32 = 8, /* unsigned 32 bits */
    ACL_INT64 = 9, /* signed 64 bits */
    ACL_UINT64 = 10, /* unsigned 64 bits */
    ACL_DOUBLE = 11, /* 64-bit float */
    ACL_BOOL = 12, /* one byte, 0 or 1 */
    ACL_STRING = 13, /* text */
    ACL_COMPLEX64 = 16, /* two 32-bit floats */
    ACL_COMPLEX128 = 17, /* two 64-bit floats */
    ACL_BF16 = 27, /* 16-bit float with 8 exponent bits */
    ACL_INT4 = 29, /* signed 4 bits, two in a byte */
    ACL_UINT1 = 30, /* one bit, eight in a byte */
    ACL_COMPLEX32 = 33, /* two 16-bit floats */
    ACL_HIFLOAT8 = 34, /* 8-bit float with tapered precision */
    ACL_FLOAT8_E5M2 = 35, /* 8-bit float, 5 exponent bits */
    ACL_FLOAT8_E4M3FN = 36, /* 8-bit float, 4 exponent bits, no infinity */
    ACL_FLOAT8_E8M0 = 37, /* 8-bit power of two */
    ACL_FLOAT6_E3M2 = 38, /* 6-bit float, 3 exponent bits */
    ACL_FLOAT6_E2M3 = 39, /* 6-bit float, 2 exponent bits */
    ACL_FLOAT4_E2M1 = 40, /* 4-bit float, 2 exponent bits */
    ACL_FLOAT4_E1M2 = 41, /* 4-bit float, 1 exponent bit */
} aclDataType;

/* Order of the dimensions of a tensor in memory. */
typedef enum aclFormat {
    ACL_FORMAT_UNDEFINED = -1, /* no format */
    ACL_FORMAT_NCHW = 0, /* batch, channel, height, width */
    ACL_FORMAT_NHWC = 1, /* batch, height, width, channel */
    ACL_FORMAT_ND = 2, /* plain rows */
    ACL_FORMAT_NC1HWC0 = 3, /* channels split into blocks of C0 */
    ACL_FORMAT_FRACTAL_Z = 4, /* weights in cube blocks */
    ACL_FORMAT_NC1HWC0_C04 = 12, /* channel blocks of 4 */
    ACL_FORMAT_HWCN = 16, /* height, width, channel, batch */
    ACL_FORMAT_NDHWC = 27, /* batch, depth, height, width, channel */
    ACL_FORMAT_FRACTAL_NZ = 29, /* 16-row cube blocks, column of blocks first */
    ACL_FORMAT_NCDHW = 30, /* batch, channel, depth, height, width */
    ACL_FORMAT_NDC1HWC0 = 32, /* depth, channels split into blocks */
    ACL_FRACTAL_Z_3D = 33, /* 3D weights in cube blocks */
    ACL_FORMAT_NC = 35, /* batch, channel */
    ACL_FORMAT_NCL = 47, /* batch, channel, length */
    ACL_FORMAT_FRACTAL_NZ_C0_16 = 50, /* cube blocks with C0 of 16 */
    ACL_FORMAT_FRACTAL_NZ_C0_32 = 51, /* cube blocks with C0 of 32 */
    ACL_FORMAT_FRACTAL_NZ_C0_2 = 52, /* cube blocks with C0 of 2 */
    ACL_FORMAT_FRACTAL_NZ_C0_4 = 53, /* cube blocks with C0 of 4 */
    ACL_FORMAT_FRACTAL_NZ_C0_8 = 54, /* cube blocks with C0 of 8 */
} aclFormat;

/* How important a log line is. */
typedef enum aclLogLevel {
    ACL_DEBUG = 0, /* for debugging */
    ACL_INFO = 1, /* for information */
    ACL_WARNING = 2, /* something is odd */
    ACL_ERROR = 3, /* something failed */
} aclLogLevel;

/* Where the data of an operator lie. */
typedef enum aclMemType {
    ACL_MEMTYPE_DEVICE = 0, /* device memory */
    ACL_MEMTYPE_HOST = 1, /* host memory */
    ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2, /* host memory whose values do not influence compilation */
} aclMemType;

/* A switch of the runtime. */
typedef enum aclSysParamOpt {
    ACL_OPT_DETERMINISTIC = 0, /* 0 off, 1 same result every run, 2 strong, 3 per batch */
    ACL_OPT_ENABLE_DEBUG_KERNEL = 1, /* use kernels built with checks */
    ACL_OPT_STRONG_CONSISTENCY = 2, /* old name of DETERMINISTIC with value 2 */
    ACL_OPT_ENABLE_KERNEL_EARLY_START = 3, /* start a kernel before the one ahead has quite ended */
} aclSysParamOpt;

/* A property of the installation. */
typedef enum aclCannAttr {
    ACL_CANN_ATTR_UNDEFINED = -1, /* none */
    ACL_CANN_ATTR_INF_NAN = 0, /* Inf and NaN are kept instead of saturated */
    ACL_CANN_ATTR_BF16 = 1, /* bfloat16 is supported */
    ACL_CANN_ATTR_JIT_COMPILE = 2, /* operators can be compiled at run time */
} aclCannAttr;

/* A number of a device, old query. */
typedef enum aclDeviceInfo {
    ACL_DEVICE_INFO_UNDEFINED = -1, /* none */
    ACL_DEVICE_INFO_AI_CORE_NUM = 0, /* number of AI Cores */
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1, /* number of vector cores */
    ACL_DEVICE_INFO_L2_SIZE = 2, /* size of the L2 cache, bytes */
} aclDeviceInfo;

/* Name of the chip, such as Ascend910B1; null if there is no device. The text is static. */
ACL_FUNC_VISIBILITY const char* aclrtGetSocName(void);

/* Half float to float; infinity becomes 65536, NaN 98304. */
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/* Float to half float; NaN and what is too large become the largest half float of that sign. */
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

/* Size of one element, bytes; 0 for types smaller than a byte or unknown. */
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/* Makes an address-and-size object; owns nothing. Null if memory ran out. */
ACL_FUNC_VISIBILITY aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);

/* Destroys the object, not the memory it names. */
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);

/* Names other memory. */
ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size);

/* The address; null for a null object. */
ACL_FUNC_VISIBILITY void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);

/* The size cut to 32 bits; old form of aclGetDataBufferSizeV2. */
ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);

/* The size, bytes; 0 for a null object. */
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);

/* List the toolkit feature flags this build offers. */
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num);

/* Query one toolkit feature flag. */
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value);

/* Query one numeric property of a device (old enum). */
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value);

#ifdef __cplusplus
}
#endif

#endif /* TOPROPE_ACL_ACL_BASE_RT_H */
