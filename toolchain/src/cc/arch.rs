//! Names of chips and architectures on command lines, and which of them are modelled.
//!
//! Source: the options `--npu-arch` and `--npu-soc` of the public Ascend C guide (compiling AI Core operators); older documents have the
//! architecture as `dav-c220`, `dav-c220-vec`, `dav-c220-cube`.

/// Is `name` (`dav-2201`, `Ascend910B3`) a name of NpuArch 2201? Case does not matter: SoC names are spelled in several ways.
pub fn is_modelled(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let base = name.strip_prefix("dav-").unwrap_or(&name);
    matches!(base, "2201" | "c220" | "c220-vec" | "c220-cube")
        || ["ascend910b", "ascend910-93"].iter().any(|soc| name.starts_with(soc))
}

/// What to say about a name that is not modelled.
pub fn refusal(option: &str, name: &str) -> String {
    format!(
        "{option}: {} is not modelled\n  help: toprope models NpuArch 2201 (Atlas A2): use --npu-arch=dav-2201 (also known as dav-c220, \
         Ascend910B1 … Ascend910B4), in CMake -DCMAKE_ASC_ARCHITECTURES=dav-2201",
        if name.is_empty() { "no architecture" } else { name }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_2201_are_known_and_others_are_not() {
        for name in [
            "dav-2201",
            "DAV_2201",
            "dav-c220",
            "dav-c220-vec",
            "Ascend910B",
            "ascend910b4",
            "Ascend910B4-1",
            "Ascend910_9392",
        ] {
            assert!(is_modelled(name), "{name}");
        }
        for name in [
            "dav-3510",
            "dav-2201x",
            "dav-1001",
            "Ascend310P3",
            "Ascend910A",
            "Ascend910",
            "",
            "dav-",
            "Ascend950PR_9599",
        ] {
            assert!(!is_modelled(name), "{name}");
            assert!(refusal("--npu-arch", name).contains("dav-2201"));
        }
    }
}
