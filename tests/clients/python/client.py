"""A host program in Python, through ctypes alone: the library by its name, numbers as the public headers have them."""

import ctypes as c
import sys

H2D, D2H, D2D = 1, 2, 3
HUGE_FIRST = 0
INVALID_DEVICE, REPEAT_INITIALIZE, REPEAT_FINALIZE = 107001, 100002, 100037

acl = c.CDLL("libascendcl.so")
# Calls whose arguments are not plain ints.
acl.aclrtMalloc.argtypes = [c.POINTER(c.c_void_p), c.c_size_t, c.c_int]
acl.aclrtMallocHost.argtypes = [c.POINTER(c.c_void_p), c.c_size_t]
acl.aclrtFree.argtypes = acl.aclrtFreeHost.argtypes = [c.c_void_p]
acl.aclrtCreateStream.argtypes = acl.aclrtCreateEvent.argtypes = [c.POINTER(c.c_void_p)]
acl.aclrtDestroyStream.argtypes = acl.aclrtSynchronizeStream.argtypes = acl.aclrtDestroyEvent.argtypes = [c.c_void_p]
acl.aclrtRecordEvent.argtypes = acl.aclrtStreamWaitEvent.argtypes = [c.c_void_p, c.c_void_p]
acl.aclrtMemcpyAsync.argtypes = [c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t, c.c_int, c.c_void_p]
acl.aclrtQueryEventStatus.argtypes = [c.c_void_p, c.POINTER(c.c_int)]
acl.aclGetRecentErrMsg.restype = acl.aclrtGetSocName.restype = c.c_char_p


def message():
    return (acl.aclGetRecentErrMsg() or b"").decode()


def ok(code):
    """Raises on every code but 0, with the runtime's own words."""
    if code:
        raise RuntimeError(f"code {code}: {message()}")


def made(function, *more):
    """What a call gives back through its first argument."""
    at = c.c_void_p()
    ok(function(c.byref(at), *more))
    return at


def copies_and_events():
    """Numbers go up on one stream and come back on another, which waits for an event of the first."""
    count = 10_000
    size = count * 4
    up, down = made(acl.aclrtCreateStream), made(acl.aclrtCreateStream)
    arrived, end = made(acl.aclrtCreateEvent), made(acl.aclrtCreateEvent)
    host = made(acl.aclrtMallocHost, size)
    a, b = (made(acl.aclrtMalloc, size, HUGE_FIRST) for _ in range(2))
    numbers = (c.c_int32 * count).from_address(host.value)
    numbers[:] = range(count)
    ok(acl.aclrtMemcpyAsync(a, size, host, size, H2D, up))
    ok(acl.aclrtRecordEvent(arrived, up))
    ok(acl.aclrtSynchronizeStream(up))
    c.memset(host, 0, size)
    ok(acl.aclrtStreamWaitEvent(down, arrived))
    ok(acl.aclrtMemcpyAsync(b, size, a, size, D2D, down))
    ok(acl.aclrtMemcpyAsync(host, size, b, size, D2H, down))
    ok(acl.aclrtRecordEvent(end, down))
    ok(acl.aclrtSynchronizeStream(down))
    assert list(numbers) == list(range(count))
    status = c.c_int(-1)
    ok(acl.aclrtQueryEventStatus(end, c.byref(status)))
    assert status.value == 1, "this enumeration has COMPLETE = 1"
    del numbers
    for event in (arrived, end):
        ok(acl.aclrtDestroyEvent(event))
    for stream in (up, down):
        ok(acl.aclrtDestroyStream(stream))
    for memory in (a, b):
        ok(acl.aclrtFree(memory))
    ok(acl.aclrtFreeHost(host))
    print("ok: copies on two streams, ordered by an event")


def errors():
    """A wrong call has its code and a message; Python goes on."""
    assert acl.aclrtSetDevice(4711) == INVALID_DEVICE
    text = message()
    assert "4711" in text, text
    ok(acl.aclrtSetDevice(0))
    try:
        ok(acl.aclrtMalloc(c.byref(c.c_void_p()), 0, HUGE_FIRST))
    except RuntimeError as error:
        assert "100000" in str(error), error
    else:
        raise AssertionError("a size of 0 was taken")
    print("ok: wrong calls have codes and messages")


def one_runtime():
    """The library under its other names is the same one, not a second runtime."""
    here = c.cast(acl.aclrtSetDevice, c.c_void_p).value
    for name in ("libacl_rt.so", "libruntime.so", "libruntime_camodel.so", "libmsprofiler.so"):
        other = c.CDLL(name)
        assert c.cast(other.aclrtSetDevice, c.c_void_p).value == here, name
    print("ok: one runtime under every name")


def main():
    ok(acl.aclInit(None))
    assert acl.aclInit(None) == REPEAT_INITIALIZE
    ok(acl.aclrtSetDevice(0))
    assert acl.aclrtGetSocName().startswith(b"Ascend910B")
    copies_and_events()
    errors()
    one_runtime()
    ok(acl.aclrtResetDeviceForce(0))
    ok(acl.aclFinalize())
    assert acl.aclFinalize() == REPEAT_FINALIZE
    print("PASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
