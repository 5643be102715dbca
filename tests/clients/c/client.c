/* A host program in C99 as others write it: knows acl/acl.h and nothing of toprope. Prints one line per rule that held; ends with 1 at
 * the first that did not. */
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"

#define COUNT 4096u
#define BYTES (COUNT * sizeof(uint32_t))

static void fail(const char* what, int line, long got)
{
    const char* text = aclGetRecentErrMsg();
    printf("client.c:%d: %s: got %ld\n%s\n", line, what, got, text ? text : "");
}

#define REQUIRE(condition, got)                          \
    do {                                                 \
        if (!(condition)) {                              \
            fail(#condition, __LINE__, (long)(got));     \
            return 1;                                    \
        }                                                \
    } while (0)

#define OK(call)                                         \
    do {                                                 \
        aclError code_ = (call);                         \
        if (code_ != ACL_SUCCESS) {                      \
            fail(#call, __LINE__, code_);                \
            return 1;                                    \
        }                                                \
    } while (0)

/* The message that belongs to the last failure: once, and it names the argument. */
static int message_names(const char* word)
{
    const char* text = aclGetRecentErrMsg();
    if (text == NULL || strstr(text, word) == NULL) {
        printf("the message does not name `%s`: %s\n", word, text ? text : "(none)");
        return 0;
    }
    return 1;
}

/* Host to device on one stream, device to device and back on another, ordered by an event. */
static int copies_and_events(void)
{
    aclrtStream up, down;
    aclrtEvent begin, arrived, end;
    uint32_t *in, *out;
    void *a, *b;
    float milliseconds = -1;
    aclrtEventRecordedStatus status;
    uint32_t i;

    OK(aclrtCreateStream(&up));
    OK(aclrtCreateStream(&down));
    OK(aclrtCreateEvent(&begin));
    OK(aclrtCreateEvent(&arrived));
    OK(aclrtCreateEvent(&end));
    OK(aclrtMallocHost((void**)&in, BYTES));
    OK(aclrtMallocHost((void**)&out, BYTES));
    OK(aclrtMalloc(&a, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMalloc(&b, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
    for (i = 0; i < COUNT; i++) {
        in[i] = 3u * i + 1u;
    }
    memset(out, 0, BYTES);

    OK(aclrtRecordEvent(begin, up));
    OK(aclrtMemcpyAsync(a, BYTES, in, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, up));
    OK(aclrtRecordEvent(arrived, up));
    OK(aclrtStreamWaitEvent(down, arrived));
    OK(aclrtMemsetAsync(b, BYTES, 0xff, BYTES, down));
    OK(aclrtMemcpyAsync(b, BYTES, a, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, down));
    OK(aclrtMemcpyAsync(out, BYTES, b, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, down));
    OK(aclrtRecordEvent(end, down));
    OK(aclrtSynchronizeStream(down));

    REQUIRE(memcmp(in, out, BYTES) == 0, out[1]);
    OK(aclrtQueryEventStatus(end, &status));
    REQUIRE(status == ACL_EVENT_RECORDED_STATUS_COMPLETE, status);
    OK(aclrtEventElapsedTime(&milliseconds, begin, end));
    REQUIRE(milliseconds >= 0, milliseconds * 1000);
    printf("ok: copies on two streams, ordered by an event\n");

    OK(aclrtDestroyEvent(begin));
    OK(aclrtDestroyEvent(arrived));
    OK(aclrtDestroyEvent(end));
    OK(aclrtFree(a));
    OK(aclrtFree(b));
    OK(aclrtFreeHost(in));
    OK(aclrtFreeHost(out));
    OK(aclrtDestroyStream(up));
    OK(aclrtDestroyStream(down));
    return 0;
}

/* Each wrong call has its code and a message; the program goes on. */
static int errors(void)
{
    void* device;
    char host[64] = {0};
    aclError code;

    code = aclrtSetDevice(1000);
    REQUIRE(code == ACL_ERROR_RT_INVALID_DEVICEID, code);
    REQUIRE(message_names("1000"), 0);
    code = aclrtMalloc(NULL, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    REQUIRE(code == ACL_ERROR_INVALID_PARAM, code);
    OK(aclrtMalloc(&device, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
    code = aclrtMemcpy(device, 16, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
    REQUIRE(code != ACL_SUCCESS, code);
    REQUIRE(message_names("16"), 0);
    /* The twin that is right. */
    OK(aclrtMemcpy(device, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE));
    OK(aclrtFree(device));
    printf("ok: wrong calls have codes and messages\n");
    return 0;
}

int main(void)
{
    int32_t device = -1;
    uint32_t count = 0;
    aclError code;

    OK(aclInit(NULL));
    code = aclInit(NULL);
    REQUIRE(code == ACL_ERROR_REPEAT_INITIALIZE, code);
    OK(aclrtGetDeviceCount(&count));
    REQUIRE(count >= 1, count);
    OK(aclrtSetDevice(0));
    OK(aclrtGetDevice(&device));
    REQUIRE(device == 0, device);
    REQUIRE(strncmp(aclrtGetSocName(), "Ascend910B", 10) == 0, 0);
    if (copies_and_events() || errors()) {
        return 1;
    }
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
    code = aclFinalize();
    REQUIRE(code == ACL_ERROR_REPEAT_FINALIZE, code);
    printf("PASS\n");
    return 0;
}
