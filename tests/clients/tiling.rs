//! Host tiling in C++: a program, and the enums of its headers against those of the computation.

use crate::CLIENTS;
use crate::support::{Shell, have};
use toprope_tiling::{
    CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition,
};

#[test]
fn a_host_program_asks_for_tilings() {
    for (compiler, package) in [("g++", "g++"), ("clang++", "clang")] {
        if !have(compiler, package) {
            continue;
        }
        let shell = Shell::new();
        shell.runs(&format!(
            "{compiler} -std=c++17 -Wall -Wextra -Werror {CLIENTS}/tiling/client.cpp -I$ASCEND_HOME_PATH/include \\
             -L$ASCEND_HOME_PATH/$(uname -m)-linux/lib64 -L$ASCEND_HOME_PATH/runtime/lib64 -ltiling_api -lplatform -lregister -o client"
        ));
        let out = shell.runs("./client 2>said; cat said");
        assert!(out.starts_with("PASS\n"), "{compiler}: {out}");
        for line in [
            "toprope: PlatformAscendCManager::GetInstance: unknown SoC `Ascend000`",
            "toprope: PlatformAscendCManager::GetInstance: unknown SoC `Ascend310P3`: modelled are Ascend910B1, ",
            "toprope: SetFixSplit: baseM = 24: it must be a positive multiple of 16, or -1 to leave it to the tiling",
            "toprope: GetTiling: M is -1: sizes must be positive",
            "toprope: GetTiling: multiplication of MX types",
            "toprope: GetTiling: the SoC is not one of NpuArch 2201",
            "toprope: CalcTschNumBlocks: 42 slices need 21 blocks, there are 20 cube cores; use at most 40 slices",
        ] {
            assert!(out.contains(line), "{compiler}: {line} is missing in {out}");
        }
    }
}

#[test]
fn kernels_compute_what_tilings_say() {
    let shell = Shell::new();
    let out = shell.runs(&format!("toprope check {CLIENTS}/tiling/matmul.asc"));
    assert!(out.ends_with("PASS\n") && !out.contains("WRONG"), "{out}");
}

/// `enum class NAME` of the header as (enumerator, value), aliases left out.
fn enumerators(name: &str) -> Vec<(String, i32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../device-lib/include/tiling/matmul_tiling_types.h");
    let text = std::fs::read_to_string(path).expect("the header");
    let start = format!("enum class {name} : int32_t {{");
    let body = text.split(&start).nth(1).and_then(|rest| rest.split('}').next()).expect("the enum");
    let row = |line: &str| {
        let (word, value) = line.trim().trim_end_matches(',').split_once(" = ")?;
        Some((word.to_string(), value.parse().ok()?))
    };
    body.lines().filter_map(row).collect()
}

#[test]
fn enums_of_the_headers_are_those_of_the_computation() {
    macro_rules! same {
        ($($name:ident)*) => { $(
            let ours: Vec<(String, i32)> =
                $name::ALL.iter().map(|v| (v.c_name().to_string(), *v as i32)).collect();
            assert_eq!(enumerators(stringify!($name)), ours, stringify!($name));
        )* };
    }
    same!(TPosition CubeFormat DataType MatrixTraverse MatrixMadType DequantType ScheduleType);
}
