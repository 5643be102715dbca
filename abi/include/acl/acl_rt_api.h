/* The runtime for C++: typed pointers instead of void*, and short names for the functions that take a limit, a flag or a configuration.
 *
 * Header only; a function here calls the C function that its body names. Included by itself: acl/acl.h does not bring it. */
#ifndef TOPROPE_ACL_ACL_RT_API_H
#define TOPROPE_ACL_ACL_RT_API_H

#include "acl_rt.h"

#ifdef __cplusplus

namespace toprope_acl {
/* A pointer to a typed pointer, as the C functions take it. */
template <typename T>
inline void** untyped(T** at)
{
    return reinterpret_cast<void**>(at);
}

template <typename T>
inline const void** untyped(const T** at)
{
    return reinterpret_cast<const void**>(at);
}

/* Lists of copies and of prefetches may describe all their items with one attribute: item 0 and those after it have attribute 0. */
struct FromTheFirst {
    size_t index[1] = {0};
};
} // namespace toprope_acl

/* ---- waiting; limits in milliseconds (those of queued waits in seconds), -1 for none -------------------------------------------------- */

static inline aclError aclrtSynchronizeDevice(int32_t timeout)
{
    return aclrtSynchronizeDeviceWithTimeout(timeout);
}

static inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout)
{
    return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

static inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout)
{
    return aclrtSynchronizeEventWithTimeout(event, timeout);
}

static inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
    return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

/* Limit on the run time of a kernel in microseconds; actualTimeout gets what the hardware's steps make of it. */
static inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t* actualTimeout)
{
    return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

/* ---- streams and events ---------------------------------------------------------------------------------------------------------------- */

static inline aclError aclrtCreateStream(aclrtStream* stream, uint32_t priority, uint32_t flag)
{
    return aclrtCreateStreamWithConfig(stream, priority, flag);
}

static inline aclError aclrtCreateEvent(aclrtEvent* event, uint32_t flag)
{
    return aclrtCreateEventExWithFlag(event, flag);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------------------- */

template <typename T>
static inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg = nullptr)
{
    return aclrtMallocWithCfg(toprope_acl::untyped(devPtr), size, policy, cfg);
}

/* Without a policy: large pages if there are any. */
template <typename T>
static inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMallocConfig* cfg = nullptr)
{
    return aclrtMallocWithCfg(toprope_acl::untyped(devPtr), size, ACL_MEM_MALLOC_HUGE_FIRST, cfg);
}

template <typename T>
static inline aclError aclrtMallocHost(T** hostPtr, size_t size, aclrtMallocConfig* cfg = nullptr)
{
    return aclrtMallocHostWithCfg(toprope_acl::untyped(hostPtr), size, cfg);
}

template <typename T>
static inline aclError aclrtMemAllocManaged(T** devPtr, size_t size, uint32_t flags = ACL_RT_MEM_ATTACH_GLOBAL)
{
    return aclrtMemAllocManaged(toprope_acl::untyped(devPtr), static_cast<uint64_t>(size), flags);
}

template <typename T>
static inline aclError aclrtPointerGetAttributes(const T* ptr, aclrtPtrAttributes* attributes)
{
    return aclrtPointerGetAttributes(static_cast<const void*>(ptr), attributes);
}

template <typename T>
static inline aclError aclrtHostRegister(T* ptr, uint64_t size, aclrtHostRegisterType type, T** devPtr)
{
    return aclrtHostRegister(static_cast<void*>(ptr), size, type, toprope_acl::untyped(devPtr));
}

template <typename T>
static inline aclError aclrtHostRegister(T* ptr, uint64_t size, uint32_t flag)
{
    return aclrtHostRegisterV2(static_cast<void*>(ptr), size, flag);
}

template <typename T>
static inline aclError aclrtHostGetDevicePointer(T* pHost, T** pDevice, uint32_t flag)
{
    return aclrtHostGetDevicePointer(static_cast<void*>(pHost), toprope_acl::untyped(pDevice), flag);
}

template <typename T>
static inline aclError aclrtHostUnregister(T* ptr)
{
    return aclrtHostUnregister(static_cast<void*>(ptr));
}

/* ---- copies ---------------------------------------------------------------------------------------------------------------------------- */

template <typename T, typename U>
static inline aclError aclrtMemcpy(T* dst, size_t destMax, const U* src, size_t count, aclrtMemcpyKind kind)
{
    return aclrtMemcpy(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyAsync(
    T* dst, size_t destMax, const U* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream)
{
    return aclrtMemcpyAsync(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2d(
    T* dst, size_t dpitch, const U* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind)
{
    void* to = dst;
    const void* from = src;
    return aclrtMemcpy2d(to, dpitch, from, spitch, width, height, kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2dAsync(
    T* dst, size_t dpitch, const U* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream stream)
{
    void* to = dst;
    const void* from = src;
    return aclrtMemcpy2dAsync(to, dpitch, from, spitch, width, height, kind, stream);
}

/* ---- lists of copies; failIndex is not written by the functions of the second version ---------------------------------------------------- */

template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
    size_t numAttrs, size_t* failIndex = nullptr)
{
    static_cast<void>(failIndex);
    return aclrtMemcpyBatchV2(
        toprope_acl::untyped(dsts), destMaxs, toprope_acl::untyped(srcs), sizes, numBatches, attrs, attrsIndexes, numAttrs);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr attr, size_t* failIndex = nullptr)
{
    toprope_acl::FromTheFirst all;
    return aclrtMemcpyBatch(dsts, destMaxs, srcs, sizes, numBatches, &attr, all.index, 1, failIndex);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
    size_t numAttrs, aclrtStream stream)
{
    return aclrtMemcpyBatchAsyncV2(
        toprope_acl::untyped(dsts), destMaxs, toprope_acl::untyped(srcs), sizes, numBatches, attrs, attrsIndexes, numAttrs, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr attr, aclrtStream stream)
{
    toprope_acl::FromTheFirst all;
    return aclrtMemcpyBatchAsync(dsts, destMaxs, srcs, sizes, numBatches, &attr, all.index, 1, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
    size_t numAttrs, size_t* failIndex, aclrtStream stream)
{
    void** to = toprope_acl::untyped(dsts);
    void** from = toprope_acl::untyped(srcs);
    return aclrtMemcpyBatchAsync(to, destMaxs, from, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(
    T** dsts, size_t* destMaxs, U** srcs, size_t* sizes, size_t numBatches, aclrtMemcpyBatchAttr attr, size_t* failIndex,
    aclrtStream stream)
{
    toprope_acl::FromTheFirst all;
    return aclrtMemcpyBatchAsync(dsts, destMaxs, srcs, sizes, numBatches, &attr, all.index, 1, failIndex, stream);
}

/* ---- managed memory -------------------------------------------------------------------------------------------------------------------- */

template <typename T>
static inline aclError aclrtMemManagedPrefetchAsync(
    const T* ptr, size_t size, aclrtMemManagedLocation location, uint32_t flags, aclrtStream stream)
{
    return aclrtMemManagedPrefetchAsync(static_cast<const void*>(ptr), size, location, flags, stream);
}

template <typename T>
static inline aclError aclrtMemManagedPrefetchBatchAsync(
    const T** ptrs, size_t* sizes, size_t count, aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs,
    size_t numPrefetchLocs, uint64_t flags, aclrtStream stream)
{
    const void** at = toprope_acl::untyped(ptrs);
    return aclrtMemManagedPrefetchBatchAsync(at, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
}

template <typename T>
static inline aclError aclrtMemManagedPrefetchBatchAsync(
    const T** ptrs, size_t* sizes, size_t count, aclrtMemManagedLocation prefetchLoc, uint64_t flags, aclrtStream stream)
{
    toprope_acl::FromTheFirst all;
    return aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, count, &prefetchLoc, all.index, 1, flags, stream);
}

/* ---- device variables, named instead of pointed to ------------------------------------------------------------------------------------- */

template <typename T>
static inline aclError aclrtGetSymbolAddress(const T& symbol, void** devPtr)
{
    return aclrtGetSymbolAddress(static_cast<const void*>(&symbol), devPtr);
}

template <typename T>
static inline aclError aclrtGetSymbolSize(const T& symbol, size_t* size)
{
    return aclrtGetSymbolSize(static_cast<const void*>(&symbol), size);
}

template <typename T>
static inline aclError aclrtMemcpyFromSymbol(
    void* dst, size_t dstMax, const T& symbol, size_t count, size_t offset, aclrtMemcpyKind kind)
{
    return aclrtMemcpyFromSymbol(dst, dstMax, static_cast<const void*>(&symbol), count, offset, kind);
}

template <typename T>
static inline aclError aclrtMemcpyFromSymbolAsync(
    void* dst, size_t dstMax, const T& symbol, size_t count, size_t offset, aclrtMemcpyKind kind, aclrtStream stream)
{
    return aclrtMemcpyFromSymbolAsync(dst, dstMax, static_cast<const void*>(&symbol), count, offset, kind, stream);
}

template <typename T>
static inline aclError aclrtMemcpyToSymbol(
    const T& symbol, const void* src, size_t count, size_t offset, aclrtMemcpyKind kind)
{
    return aclrtMemcpyToSymbol(static_cast<const void*>(&symbol), src, count, offset, kind);
}

template <typename T>
static inline aclError aclrtMemcpyToSymbolAsync(
    const T& symbol, const void* src, size_t count, size_t offset, aclrtMemcpyKind kind, aclrtStream stream)
{
    return aclrtMemcpyToSymbolAsync(static_cast<const void*>(&symbol), src, count, offset, kind, stream);
}

#endif /* __cplusplus */

#endif /* TOPROPE_ACL_ACL_RT_API_H */
