#!/usr/bin/env bash
# Runs device-lib's tests under valgrind and with the address sanitizer. What is not installed is skipped loudly;
# TOPROPE_REQUIRE_SANITIZERS=1 turns a skip into a failure. Call it from anywhere: device-lib/sanitize.sh
set -euo pipefail
cd "$(dirname "$0")/.."
skip() {
    echo "SKIPPED: $1" >&2
    if [ "${TOPROPE_REQUIRE_SANITIZERS:-0}" = 1 ]; then exit 1; fi
}
tests=(face model)
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

if command -v valgrind >/dev/null; then
    for test in "${tests[@]}"; do
        binary=$(cargo test -p toprope-device-lib --test "$test" --no-run --message-format=json |
            sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
        echo "valgrind: $test"
        PROPTEST_CASES=20 valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$binary"
    done
else
    skip "valgrind is not installed"
fi

host=$(rustc -vV | sed -n 's/^host: //p')
if cargo +nightly --version >/dev/null 2>&1; then
    for test in "${tests[@]}"; do
        echo "address sanitizer: $test"
        RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR="$target/asan" \
            cargo +nightly test -q -p toprope-device-lib --target "$host" --test "$test"
    done
    if cargo +nightly miri --version >/dev/null 2>&1; then
        PROPTEST_CASES=5 CARGO_TARGET_DIR="$target/miri" cargo +nightly miri test -q -p toprope-device-lib --test face
    else
        skip "Miri is not installed (a component of the nightly toolchain)"
    fi
else
    skip "no nightly toolchain: neither address sanitizer nor Miri"
fi
