// acl/acl_rt_api.h: every overload, called as a C++ program calls it, answers what the C function it stands for answers. What those
// do is tested elsewhere; of the ones that every program uses, the effect is looked at here too.
#include <cstdint>
#include <cstring>

#include "acl/acl_rt_api.h"
#include "client.h"

namespace {

constexpr size_t COUNT = 256;
constexpr size_t BYTES = COUNT * sizeof(float);

int compared = 0;

/// Both were called with the same arguments.
void same(aclError overload, aclError plain, const char* text, int line)
{
    if (overload != plain) {
        std::printf("overloads.cpp:%d: %s: the overload gives %d, the C function %d\n", line, text, overload, plain);
        std::exit(1);
    }
    compared++;
}
#define SAME(overload, plain) same(overload, plain, #overload, __LINE__)

/// Memory that more than one section uses.
struct Memory {
    float* device = nullptr;
    float* other = nullptr;
    float* host = nullptr;
    float* back = nullptr;
    aclrtStream stream = nullptr;
};

Memory allocate()
{
    Memory m;
    void* plain = nullptr;
    OK(aclrtMalloc(&m.device, BYTES));
    OK(aclrtMalloc(&m.other, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
    OK(aclrtMallocHost(&m.host, BYTES));
    OK(aclrtMallocHost(&m.back, BYTES));
    CHECK(m.device != nullptr && m.other != nullptr && m.host != nullptr && m.back != nullptr);
    // A size of 0 is refused in every spelling.
    SAME(aclrtMalloc(&m.device, 0), aclrtMallocWithCfg(&plain, 0, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
    OK(aclrtCreateStream(&m.stream, 0u, 0u));
    for (size_t i = 0; i < COUNT; i++) {
        m.host[i] = static_cast<float>(i) * 0.5f;
    }
    return m;
}

void waiting(const Memory& m)
{
    aclrtEvent event = nullptr;
    OK(aclrtCreateEvent(&event, static_cast<uint32_t>(ACL_EVENT_SYNC)));
    OK(aclrtRecordEvent(event, m.stream));
    OK(aclrtStreamWaitEvent(m.stream, event, 10));
    OK(aclrtSynchronizeEvent(event, 10000));
    OK(aclrtSynchronizeStream(m.stream, 10000));
    OK(aclrtSynchronizeDevice(10000));
    // Limits that are no limits.
    SAME(aclrtSynchronizeEvent(event, -2), aclrtSynchronizeEventWithTimeout(event, -2));
    SAME(aclrtSynchronizeStream(m.stream, 0), aclrtSynchronizeStreamWithTimeout(m.stream, 0));
    SAME(aclrtSynchronizeDevice(-7), aclrtSynchronizeDeviceWithTimeout(-7));
    SAME(aclrtStreamWaitEvent(m.stream, event, -3), aclrtStreamWaitEventWithTimeout(m.stream, event, -3));
    OK(aclrtDestroyEvent(event));
    uint64_t first = 0, second = 0;
    SAME(aclrtSetOpExecuteTimeOut(uint64_t{2000000}, &first), aclrtSetOpExecuteTimeOutV2(2000000, &second));
    CHECK(first == second);
}

void copies(const Memory& m)
{
    OK(aclrtMemcpy(m.device, BYTES, m.host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    OK(aclrtMemcpyAsync(m.other, BYTES, m.device, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, m.stream));
    OK(aclrtMemcpyAsync(m.back, BYTES, m.other, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, m.stream));
    OK(aclrtSynchronizeStream(m.stream));
    CHECK(std::memcmp(m.back, m.host, BYTES) == 0);
    // The sizes are bytes, also of typed memory.
    CHECK(aclrtMemcpy(m.device, COUNT, m.host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS);
    const size_t pitch = BYTES / 4, width = BYTES / 8;
    const aclrtMemcpyKind up = ACL_MEMCPY_HOST_TO_DEVICE;
    void* device = m.device;
    const void* host = m.host;
    SAME(aclrtMemcpy2d(m.device, pitch, m.host, pitch, width, 4, up),
         aclrtMemcpy2d(device, pitch, host, pitch, width, 4, up));
    SAME(aclrtMemcpy2dAsync(m.device, pitch, m.host, pitch, width, 4, up, m.stream),
         aclrtMemcpy2dAsync(device, pitch, host, pitch, width, 4, up, m.stream));
    SAME(aclrtMemcpy2d(m.device, width, m.host, pitch, pitch, 4, up),
         aclrtMemcpy2d(device, width, host, pitch, pitch, 4, up));
    OK(aclrtSynchronizeStream(m.stream));
}

void lists(const Memory& m)
{
    const size_t half = BYTES / 2;
    float* to[2] = {m.device, m.device + COUNT / 2};
    float* from[2] = {m.host, m.host + COUNT / 2};
    void** plain_to = reinterpret_cast<void**>(to);
    void** plain_from = reinterpret_cast<void**>(from);
    size_t room[2] = {half, half}, sizes[2] = {half, half}, index[1] = {0}, failed = 0;
    aclrtMemcpyBatchAttr attribute;
    std::memset(&attribute, 0, sizeof attribute);
    attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    aclrtMemcpyBatchAttr attributes[1] = {attribute};
    const aclrtStream stream = m.stream;

    const aclError plain = aclrtMemcpyBatchV2(plain_to, room, plain_from, sizes, 2, attributes, index, 1);
    SAME(aclrtMemcpyBatch(to, room, from, sizes, 2, attribute), plain);
    SAME(aclrtMemcpyBatch(to, room, from, sizes, 2, attribute, &failed), plain);
    SAME(aclrtMemcpyBatch(to, room, from, sizes, 2, attributes, index, 1), plain);
    const aclError queued = aclrtMemcpyBatchAsyncV2(plain_to, room, plain_from, sizes, 2, attributes, index, 1, stream);
    SAME(aclrtMemcpyBatchAsync(to, room, from, sizes, 2, attribute, stream), queued);
    SAME(aclrtMemcpyBatchAsync(to, room, from, sizes, 2, attributes, index, 1, stream), queued);
    const aclError first = aclrtMemcpyBatchAsync(plain_to, room, plain_from, sizes, 2, attributes, index, 1, &failed, stream);
    SAME(aclrtMemcpyBatchAsync(to, room, from, sizes, 2, attribute, &failed, stream), first);
    SAME(aclrtMemcpyBatchAsync(to, room, from, sizes, 2, attributes, index, 1, &failed, stream), first);
    OK(aclrtSynchronizeStream(stream));
    if (plain == ACL_SUCCESS) {
        OK(aclrtMemcpy(m.back, BYTES, m.device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
        CHECK(std::memcmp(m.back, m.host, BYTES) == 0);
    }
}

void host_memory(const Memory& m)
{
    aclrtPtrAttributes one, two;
    SAME(aclrtPointerGetAttributes(m.device, &one), aclrtPointerGetAttributes(static_cast<const void*>(m.device), &two));

    static float storage[3 * 4096 / sizeof(float)];
    float* page = reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(storage) + 4095) / 4096 * 4096);
    float* mapped = nullptr;
    void* plain = nullptr;
    const aclError registered = aclrtHostRegister(page, 4096, ACL_HOST_REGISTER_MAPPED, &mapped);
    if (registered == ACL_SUCCESS) {
        SAME(aclrtHostUnregister(page), ACL_SUCCESS);
    }
    SAME(registered, aclrtHostRegister(static_cast<void*>(page), 4096, ACL_HOST_REGISTER_MAPPED, &plain));
    SAME(aclrtHostUnregister(page), registered == ACL_SUCCESS ? ACL_SUCCESS : aclrtHostUnregister(static_cast<void*>(page)));
    const aclError flagged = aclrtHostRegister(page, 4096, static_cast<uint32_t>(ACL_HOST_REG_MAPPED));
    if (flagged == ACL_SUCCESS) {
        SAME(aclrtHostGetDevicePointer(page, &mapped, 0), aclrtHostGetDevicePointer(static_cast<void*>(page), &plain, 0));
        CHECK(static_cast<void*>(mapped) == plain);
        OK(aclrtHostUnregister(page));
    }
    SAME(flagged, aclrtHostRegisterV2(page, 4096, ACL_HOST_REG_MAPPED));
    aclrtHostUnregister(page);
}

void managed(const Memory& m)
{
    float* memory = nullptr;
    void* plain = nullptr;
    const aclError made = aclrtMemAllocManaged(&memory, BYTES);
    SAME(made, aclrtMemAllocManaged(&plain, BYTES, ACL_RT_MEM_ATTACH_GLOBAL));
    aclrtMemManagedLocation location;
    std::memset(&location, 0, sizeof location);
    location.type = ACL_MEM_LOCATIONTYPE_DEVICE;
    const float* list[1] = {memory};
    const void* plain_list[1] = {memory};
    size_t sizes[1] = {BYTES}, index[1] = {0};
    SAME(aclrtMemManagedPrefetchAsync(memory, BYTES, location, 0, m.stream),
         aclrtMemManagedPrefetchAsync(static_cast<const void*>(memory), BYTES, location, 0, m.stream));
    const aclError queued =
        aclrtMemManagedPrefetchBatchAsync(plain_list, sizes, 1, &location, index, 1, 0, m.stream);
    SAME(aclrtMemManagedPrefetchBatchAsync(list, sizes, 1, location, 0, m.stream), queued);
    SAME(aclrtMemManagedPrefetchBatchAsync(list, sizes, 1, &location, index, 1, 0, m.stream), queued);
    OK(aclrtSynchronizeStream(m.stream));
    if (made == ACL_SUCCESS) {
        OK(aclrtFree(memory));
        OK(aclrtFree(plain));
    }
}

int not_a_device_variable;

void symbols(const Memory& m)
{
    const void* symbol = &not_a_device_variable;
    void* at = nullptr;
    size_t size = 0;
    int value = 0;
    const aclrtMemcpyKind up = ACL_MEMCPY_HOST_TO_DEVICE, down = ACL_MEMCPY_DEVICE_TO_HOST;
    SAME(aclrtGetSymbolAddress(not_a_device_variable, &at), aclrtGetSymbolAddress(symbol, &at));
    SAME(aclrtGetSymbolSize(not_a_device_variable, &size), aclrtGetSymbolSize(symbol, &size));
    SAME(aclrtMemcpyFromSymbol(&value, 4, not_a_device_variable, 4, 0, down),
         aclrtMemcpyFromSymbol(&value, 4, symbol, 4, 0, down));
    SAME(aclrtMemcpyFromSymbolAsync(&value, 4, not_a_device_variable, 4, 0, down, m.stream),
         aclrtMemcpyFromSymbolAsync(&value, 4, symbol, 4, 0, down, m.stream));
    SAME(aclrtMemcpyToSymbol(not_a_device_variable, &value, 4, 0, up),
         aclrtMemcpyToSymbol(symbol, &value, 4, 0, up));
    SAME(aclrtMemcpyToSymbolAsync(not_a_device_variable, &value, 4, 0, up, m.stream),
         aclrtMemcpyToSymbolAsync(symbol, &value, 4, 0, up, m.stream));
    CHECK(aclrtGetSymbolAddress(not_a_device_variable, &at) != ACL_SUCCESS);
    // Failures are the stream's too where the call was queued.
    aclrtSynchronizeStream(m.stream);
}

} // namespace

void overloads()
{
    Memory m = allocate();
    waiting(m);
    copies(m);
    lists(m);
    host_memory(m);
    managed(m);
    symbols(m);
    OK(aclrtFree(m.device));
    OK(aclrtFree(m.other));
    OK(aclrtFreeHost(m.host));
    OK(aclrtFreeHost(m.back));
    OK(aclrtDestroyStream(m.stream));
    std::printf("ok: %d calls of the C++ spellings answer as the C functions\n", compared);
}
