use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

fn golden_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/launch")
}

/// Each `tests/launch/NAME.in` rewrites to `NAME.out` (text, or the problems found). `TOPROPE_BLESS=1` writes the outputs.
#[test]
fn golden_texts() {
    let mut cases: Vec<_> = std::fs::read_dir(golden_dir())
        .expect("golden directory")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "in"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 10, "golden cases are missing");
    for case in cases {
        let input = std::fs::read_to_string(&case).expect("input");
        let output = match rewrite(&input) {
            Ok(done) => {
                assert_eq!(
                    done.text.lines().count(),
                    input.lines().count(),
                    "{}: line count",
                    case.display()
                );
                done.text
            }
            Err(problems) => problems.iter().map(|p| format!("{p}\n")).collect(),
        };
        let expected = case.with_extension("out");
        if std::env::var_os("TOPROPE_BLESS").is_some() {
            std::fs::write(&expected, &output).expect("bless");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(output, wanted, "{}: set TOPROPE_BLESS=1 to accept", case.display());
    }
}

#[test]
fn text_without_launches_is_unchanged() {
    for text in [
        "int f(int a, int b, int c) { return a << b >> c; }",
        "std::vector<std::vector<std::vector<int>>>(3);",
        "auto x = A<B<C<int>>>(y) << z;",
        "template <class T> S& operator<< <T>(S&, T);",
        "struct S { template <class T> S& operator<<<T>(T); };",
        "const char* s = \"k<<<1, 0>>>(x) __global__\"; // k<<<1,0>>>(x) __aicore__",
        "auto r = R\"(k<<<1, 0>>>(x))\";",
    ] {
        let done = rewrite(text).expect(text);
        assert_eq!(done.text, text);
        assert_eq!(done.launches, 0);
    }
}

#[test]
fn kernel_types_in_any_order() {
    for (qualifiers, kernel_type) in [
        ("__global__ __aicore__", KernelType::Auto),
        ("__global__ __vector__", KernelType::AivOnly),
        ("__vector__ __global__ __aicore__", KernelType::AivOnly),
        ("__global__ __cube__", KernelType::AicOnly),
        ("__mix__(1, 2) __global__ __aicore__", KernelType::MixAic1_2),
        ("__global__ __mix__(1,1)", KernelType::MixAic1_1),
        ("__global__ __mix__(0, 1)", KernelType::MixAiv1_0),
    ] {
        for text in [
            format!("extern \"C\" {qualifiers} void k(float* x) {{}}"),
            format!("{qualifiers} void k(float* x);"),
        ] {
            let done = rewrite(&text).expect(&text);
            assert_eq!(done.kernels.len(), 1);
            assert_eq!(done.kernels[0].kernel_type, kernel_type, "{text}");
            assert_eq!(done.kernels[0].params, ["x"]);
            assert!(!done.text.contains("__global__") && !done.text.contains("__mix__"));
        }
    }
}

#[test]
fn a_kernel_type_may_stand_in_the_body() {
    for (name, kernel_type) in [
        ("KERNEL_TYPE_MIX_AIC_1_2", KernelType::MixAic1_2),
        ("KERNEL_TYPE_MIX_AIV_1_0", KernelType::MixAiv1_0),
        ("KERNEL_TYPE_AIC_ONLY", KernelType::AicOnly),
    ] {
        let text =
            format!("__global__ __aicore__ void k(float* x) {{ KERNEL_TASK_TYPE_DEFAULT({name}); f(x); }}");
        let done = rewrite(&text).expect(&text);
        assert_eq!(done.kernels[0].kernel_type, kernel_type, "{text}");
        assert!(!done.text.contains("KERNEL_TASK_TYPE_DEFAULT") && done.text.contains("f(x);"));
        // A qualifier counts more.
        let qualified = rewrite(&format!("__cube__ {text}")).expect(&text);
        assert_eq!(qualified.kernels[0].kernel_type, KernelType::AicOnly);
    }
}

#[test]
fn the_system_workspace_is_marked() {
    for parameter in ["__kfc_workspace__ uint8_t* w", "uint8_t* __kfc_workspace__ w"] {
        let done = rewrite(&format!("__global__ __mix__(1, 2) void k(float* x, {parameter}, int n) {{}}"));
        let done = done.expect(parameter);
        assert_eq!(done.kernels[0].params, ["x", "*w", "n"]);
        assert!(
            !done.text.contains("__kfc_workspace__") && done.text.contains("\"x\\0*w\\0n\\0\""),
            "{}",
            done.text
        );
    }
}

#[test]
fn names_follow_namespaces() {
    let text = "namespace a { inline namespace b::c { __global__ void k() {} } namespace { __global__ void l(); } }
        extern \"C\" { __global__ void m(int) {} } namespace n { extern \"C\" __global__ void o(void) {} } __global__ void a::q() {}";
    let names: Vec<_> = rewrite(text).expect("rewrites").kernels.into_iter().map(|k| k.name).collect();
    assert_eq!(names, ["a::b::c::k", "a::l", "m", "o", "a::q"]);
}

#[test]
fn kernels_where_they_cannot_be_are_problems() {
    for (text, part) in [
        ("struct S { __global__ void k() {} };", "namespace scope"),
        ("__global__ int k(int x) { return x; }", "return void"),
        ("__global__ __mix__(2, 1) void k() {}", "__mix__(2,1)"),
        ("__global__ __vector__ __cube__ void k() {}", "two different"),
        (
            "__global__ void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AICORE); }",
            "not a kernel type of this chip",
        ),
        ("void f() { <<<1, 0>>>(x); }", "not preceded"),
        ("void f() { k<<<1, 0; }", "not complete"),
    ] {
        let problems = rewrite(text).expect_err(text);
        assert!(problems[0].message.contains(part), "{text}: {}", problems[0]);
    }
}

/// C++-like fragments, so that random texts get past the tokenizer.
const PIECES: [&str; 40] = [
    "__global__",
    "__aicore__",
    "__vector__",
    "__mix__",
    "void",
    "k",
    "template",
    "<",
    ">",
    "<<<",
    ">>>",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    "::",
    "->",
    ".",
    "=",
    "\"s\"",
    "'c'",
    "R\"x(",
    ")x\"",
    "namespace",
    "extern",
    "\"C\"",
    "class",
    "T",
    "...",
    "\n",
    " ",
    "# 3 \"f.h\" 1\n",
    "operator",
    "1",
    "/*",
    "//",
];

#[test]
fn what_is_blanked_keeps_its_lines() {
    for text in [
        "__mix__(R\"x(\n)x\") int a;",
        "void f() { asm\nvolatile\n(\n\"trap\"\n); }",
        "__mix__(\n1,\n2) int a;",
    ] {
        let done = rewrite(text).expect("no kernel, no launch");
        assert_eq!(done.text.matches('\n').count(), text.matches('\n').count(), "{text}");
        assert!(!done.text.contains("__mix__") && !done.text.contains("trap"), "{}", done.text);
    }
}

proptest! {
    #[test]
    fn any_text_is_tokenized_without_loss(text in "\\PC*") {
        let tokens = token::tokenize(&text);
        let joined: String = tokens.iter().map(|t| &text[t.range.clone()]).collect();
        prop_assert_eq!(joined, text);
    }

    #[test]
    fn odd_programs_never_panic_and_keep_their_lines(parts in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        for glue in ["", " "] {
            let text = parts.join(glue);
            if let Ok(done) = rewrite(&text) {
                prop_assert_eq!(done.text.matches('\n').count(), text.matches('\n').count());
                if done.launches == 0 && done.kernels.is_empty() {
                    let plain = |t: &str| t.replace(' ', "");
                    let without = kernel::QUALIFIERS.iter().fold(text.clone(), |t, q| t.replace(q, ""));
                    if !text.contains("__") {
                        prop_assert_eq!(&done.text, &text);
                    } else if !text.contains(['"', '\'', '/', '#']) && !text.contains("__mix__") && glue == " " {
                        prop_assert_eq!(plain(&done.text), plain(&without));
                    }
                }
            }
        }
    }
}

#[test]
fn launches_of_a_library_wait_where_the_source_itself_prints() {
    let source = |header: &str, body: &str| {
        format!(
            "# 1 \"k.cpp\"\n# 1 \"k.h\" 1\n{header}\n# 2 \"k.cpp\" 2\n__global__ __aicore__ void k() {{ {body} }}\nvoid f() {{ k<<<1, 0>>>(); }}\n"
        )
    };
    let waits = |text: &str| text.contains("launch_config(1, 0).waiting())()");
    let library = |text: &str| rewrite_for(text, Purpose { library: true, cores: None });
    let printing = source("", "AscendC::printf(\"x\");");
    assert!(waits(&library(&printing).expect("printing").text));
    assert!(!waits(&rewrite(&printing).expect("printing").text), "only in a library");
    for silent in [source("void printf(const char*);", ""), source("", "int printf = 0;"), source("", "")] {
        assert!(!waits(&library(&silent).expect("silent").text), "{silent}");
    }
}

#[test]
fn cores_of_the_command_line_count_where_the_kernel_names_none() {
    let text = "__global__ __aicore__ void plain() {}\n__global__ __vector__ void vector() {}\n";
    let kinds = |cores| {
        let done = rewrite_for(text, Purpose { library: false, cores }).expect("right");
        done.kernels.iter().map(|k| k.kernel_type).collect::<Vec<_>>()
    };
    assert_eq!(kinds(None), [KernelType::Auto, KernelType::AivOnly]);
    assert_eq!(kinds(Some(KernelType::MixAic1_2)), [KernelType::MixAic1_2, KernelType::AivOnly]);
}
