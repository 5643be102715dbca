/* The face of a core towards a kernel. Generated from abi/src/core_face.rs; do not edit. */
#ifndef TOPROPE_CORE_H
#define TOPROPE_CORE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_CORE_ABI_VERSION 1u
#define TR_REGION_BYTES 8388608ull
#define TR_SPACE_SHIFT 20u
#define TR_SPR_OWN 256u
#define TR_MODULE_MAGIC 0x4d4b5254u
#define TR_CORE_AIC 1u
#define TR_CORE_AIV 2u

#define TR_REFUSE_FIELD_RANGE 1u /* a configuration field is out of range: detail = field id, asked, limit */
#define TR_REFUSE_UNSUPPORTED 2u /* an API, data type or form that is not modelled: text names it */
#define TR_REFUSE_ASSERT 3u /* an assertion of the kernel failed: text is the condition */
#define TR_REFUSE_FRAMEWORK 4u /* TPipe, TQue, TBuf or TBufPool misuse: detail = framework error code + address of the object << 16 */
#define TR_REFUSE_ROUNDED_DOWN 5u /* a byte count that is not a multiple of 32 would be rounded down: detail = bits of an element (0: bytes are given), asked bytes, moved bytes; not fatal */
#define TR_REFUSE_MISALIGNED 6u /* an address or size is not aligned: asked, required alignment */
#define TR_REFUSE_CAPACITY 7u /* buffers do not fit their memory: detail = memory, asked bytes, limit bytes */
#define TR_REFUSE_OUT_OF_RANGE 8u /* an index or count is outside its tensor: asked, limit; text names the access */
#define TR_REFUSE_WRONG_CORE 9u /* an API that this kind of core does not have: text names it */
#define TR_REFUSE_TRAP 10u /* the kernel called Trap() */
#define TR_REFUSE_NO_SUCH_FORM 11u /* a form of an API that this hardware does not have (known at run time only): text names it */
#define TR_REFUSE_API_MISUSE 12u /* a library used against its rules: text is what was done, a line feed, what to do; asked and limit where it counts something */

#define TR_NOTE_BUFFER 1u /* InitBuffer reserved memory: a = space, b = offset bytes, c = bytes, d = owner address */
#define TR_NOTE_RESET_BUFFERS 2u /* all buffers of the pipe are gone */
#define TR_NOTE_GM_TENSOR 3u /* SetGlobalBuffer: a = address, b = bytes (0: unknown), c = 0 or the address of two words of the kernel's: they get the first byte and the length of the block of device memory that holds a, if it is known */
#define TR_NOTE_LOCAL_TENSOR 4u /* a tensor made from an offset in its memory: a = space, b = offset bytes, c = bytes, d = 1 if TPipe gave it out (GetAbsAddr, PopStackBuffer), 2 if an API uses its reserved part of UB */
#define TR_NOTE_POLL_BEGIN 5u /* a look at GM begins, in a loop that waits for another core */
#define TR_NOTE_POLL_AGAIN 6u /* the look was in vain: a = address; other cores may run, and the look takes no time */
#define TR_NOTE_POLL_END 7u /* the look found a word to be d at b addresses, a and on in steps of c bytes */
#define TR_NOTE_POLL_END_AT_LEAST 8u /* as POLL_END, the word is d or more */
#define TR_NOTE_SIGNAL 9u /* a word that other cores look for is written and is d now: b addresses, a and on in steps of c bytes */
#define TR_NOTE_SIGNAL_ADD 10u /* as SIGNAL, d is added to the word */
#define TR_NOTE_RESERVED 11u /* InitBuffer or InitBufPool gave memory: a = space + kind << 8 (0 queue, 1 TBuf, 2 pool, +16 at places the kernel named) + source position << 16 + destination position << 24 + buffers << 32, b = offset bytes of the first, c = bytes of one, d = address of the queue, TBuf or pool */
#define TR_NOTE_QUEUE_OP 12u /* a queue operation was done: a = space + operation << 8 (0 AllocTensor, 1 EnQue, 2 DeQue, 3 FreeTensor) + event of EnQue << 16, b = offset bytes, c = bytes, d = address of the queue */
#define TR_NOTE_PIPE 13u /* a TPipe begins (a = 0), is reset (1) or destroyed (2): b = its address */
#define TR_NOTE_POOL_RESET 14u /* a TBufPool gave its memory up: a = its address, b = space, c = offset bytes, d = bytes */
#define TR_NOTE_GM_STRAY 15u /* a GlobalTensor was moved out of its block of device memory: a = address, b = address before */
#define TR_NOTE_RAW_POINTER 40u /* GetPhyAddr was called: a = address, b = bytes behind it, which the kernel may write unseen */
#define TR_NOTE_SYNC_ALL 20u /* SyncAll with flags begins (a = 1) or ends (a = 0) */

#define TR_SCALAR_LOAD 0u /* GetValue; GM through the data cache */
#define TR_SCALAR_STORE 1u /* SetValue; GM through the data cache */
#define TR_SCALAR_LOAD_UNCACHED 2u /* GM around the data cache */
#define TR_SCALAR_STORE_UNCACHED 3u /* GM around the data cache */
#define TR_SCALAR_DUMP 4u /* a debugging interface reads any memory; takes no time */

#define TR_KERNEL_AUTO 0u
#define TR_KERNEL_AIV_ONLY 1u
#define TR_KERNEL_AIC_ONLY 2u
#define TR_KERNEL_MIX_AIV_1_0 3u
#define TR_KERNEL_MIX_AIC_1_0 4u
#define TR_KERNEL_MIX_AIC_1_1 5u
#define TR_KERNEL_MIX_AIC_1_2 6u

typedef struct TrCore {
  uint32_t abi_version;
  uint32_t kind;
  uint32_t block_idx;
  uint32_t block_num;
  uint32_t sub_block_idx;
  uint32_t sub_block_num;
  uint32_t checked;
  uint32_t reserved;
  uint64_t region;
  uint64_t pc;
  void *engine;
  void (*issue)(struct TrCore *core, uint32_t op, uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3);
  uint64_t (*read_spr)(struct TrCore *core, uint32_t spr);
  void (*scalar_access)(struct TrCore *core, uint64_t addr, uint32_t bytes, uint32_t what);
  void (*refuse)(struct TrCore *core, uint32_t why, const char *text, uint64_t detail, uint64_t asked, uint64_t limit);
  void (*print)(struct TrCore *core, const char *text, uint64_t bytes);
  void (*annotate)(struct TrCore *core, uint32_t what, const char *text, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
  uint64_t api_pc;
  uint64_t kernel_side[8];
} TrCore;

typedef struct TrParam {
  uint32_t size_bytes;
  uint32_t is_pointer;
  const char *name;
} TrParam;

typedef struct TrKernel {
  const struct TrKernel *next;
  const char *name;
  const char *file;
  uint32_t line;
  uint32_t kernel_type;
  const void *entry;
  void (*invoke)(const void *entry, const void *args);
  const TrParam *params;
  uint32_t param_count;
  uint32_t args_bytes;
} TrKernel;

typedef struct TrKernelModule {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t struct_bytes;
  uint32_t pid;
  const struct TrKernelModule *self_address;
  const TrKernel *first;
  void (*set_core)(TrCore *core);
} TrKernelModule;

#ifdef __cplusplus
}
#endif

#endif
