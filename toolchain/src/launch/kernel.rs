//! Finds the kernels of a translation unit: functions with `__global__` at namespace scope.

use std::ops::Range;

use toprope_abi::core_face::KernelType;

use super::source::{Place, Source};
use super::{KernelDecl, Problem, TemplateParam};

/// Qualifiers of functions and parameters that the rewriter takes out.
pub(super) const QUALIFIERS: [&str; 6] =
    ["__global__", "__aicore__", "__vector__", "__cube__", "__mix__", WORKSPACE];

/// Calls in a kernel's body that tell what it runs on.
pub(super) const TASK_TYPES: [&str; 2] = ["KERNEL_TASK_TYPE_DEFAULT", "KERNEL_TASK_TYPE"];

/// Qualifier of the parameter that is the system workspace. Its name gets a star in front.
const WORKSPACE: &str = "__kfc_workspace__";

/// Words whose parenthesised group is not a parameter list.
const GROUPED: [&str; 8] = [
    "__attribute__",
    "alignas",
    "decltype",
    "__mix__",
    "__launch_bounds__",
    "noexcept",
    "__declspec",
    "explicit",
];

/// Types that are a single keyword; as the last word of a declaration they are no name.
const TYPE_WORDS: [&str; 17] = [
    "void", "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "auto",
    "typename", "class", "wchar_t", "char16_t", "char32_t", "const",
];

/// One kernel, as found: the declaration and what the rewriter needs of its text.
pub(super) struct FoundKernel {
    pub decl: KernelDecl,
    /// Name as written, with template arguments of an explicit specialisation: `add`, `ns::add<float>`.
    pub spelled: String,
    /// Parameter list without default arguments: `float* x, int n`.
    pub param_text: String,
    /// Byte just after the body's `{`, and just after its `}`; `None` for a declaration.
    pub body: Option<(usize, usize)>,
}

/// What opens a brace at namespace scope.
enum Scope {
    Namespace(String),
    Linkage,
}

/// Walks the declarations at namespace scope and returns the kernels in order.
pub(super) fn find(source: &Source, problems: &mut Vec<Problem>) -> Vec<FoundKernel> {
    let mut kernels = Vec::new();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut start = 0;
    let mut index = 0;
    while index < source.code.len() {
        match source.at(index) {
            ";" => {
                kernel_in(source, &scopes, start..index, None, problems, &mut kernels);
                start = index + 1;
            }
            "}" => {
                scopes.pop();
                start = index + 1;
            }
            "(" | "[" => index = source.partner(index).unwrap_or(index),
            "{" => match scope_of(source, start..index) {
                Some(scope) => {
                    scopes.push(scope);
                    start = index + 1;
                }
                None => {
                    let close = source.partner(index).unwrap_or(source.code.len() - 1);
                    let is_kernel = kernel_in(
                        source,
                        &scopes,
                        start..index,
                        Some((index, close)),
                        problems,
                        &mut kernels,
                    );
                    if !is_kernel {
                        report_misplaced(source, index..close, problems);
                    }
                    index = close;
                    start = index + 1;
                }
            },
            _ => {}
        }
        index += 1;
    }
    kernels
}

/// Is the text before a `{` the head of a namespace or of a linkage block?
fn scope_of(source: &Source, head: Range<usize>) -> Option<Scope> {
    let mut words = head.clone();
    while source.at(words.start) == "inline" {
        words.start += 1;
    }
    if source.at(words.start) == "namespace" && words.start < head.end {
        let mut name = Vec::new();
        let mut index = words.start + 1;
        while index < head.end {
            match source.at(index) {
                "[" | "(" => index = source.partner(index).unwrap_or(index),
                "__attribute__" | "inline" => {}
                _ if source.is_ident(index) => name.push(source.at(index)),
                _ => {}
            }
            index += 1;
        }
        return Some(Scope::Namespace(name.join("::")));
    }
    (head.len() == 2 && source.at(head.start) == "extern" && source.is_string(head.start + 1))
        .then_some(Scope::Linkage)
}

/// A `__global__` with a body inside a class or a function cannot be launched: say so.
fn report_misplaced(source: &Source, range: Range<usize>, problems: &mut Vec<Problem>) {
    for index in range.filter(|i| source.at(*i) == "__global__") {
        problems.push(Problem {
            place: source.place(source.range(index).start),
            message: "a __global__ function must stand at namespace scope, this one is inside a class or a function".into(),
            help: "move the kernel out and let it call the member function".into(),
        });
    }
}

/// If the declaration `head` is a kernel, adds it. Returns whether it is one.
fn kernel_in(
    source: &Source,
    scopes: &[Scope],
    head: Range<usize>,
    body: Option<(usize, usize)>,
    problems: &mut Vec<Problem>,
    kernels: &mut Vec<FoundKernel>,
) -> bool {
    let Some(global) = head.clone().find(|i| source.at(*i) == "__global__") else { return false };
    let place = source.place(source.range(global).start);
    let parser = Parser { source, scopes, head, place: place.clone() };
    match parser.kernel(body) {
        Ok(Some(kernel)) => kernels.push(kernel),
        Ok(None) => {}
        Err((message, help)) => problems.push(Problem { place, message, help: help.into() }),
    }
    true
}

struct Parser<'a> {
    source: &'a Source<'a>,
    scopes: &'a [Scope],
    head: Range<usize>,
    place: Place,
}

type Refused = (String, &'static str);

impl Parser<'_> {
    fn kernel(&self, body: Option<(usize, usize)>) -> Result<Option<FoundKernel>, Refused> {
        let source = self.source;
        let mut index = self.head.start;
        let mut template = None;
        let mut extern_c = false;
        if source.at(index) == "extern" && source.is_string(index + 1) {
            extern_c = source.at(index + 1) == "\"C\"";
            index += 2;
        }
        if source.at(index) == "template" {
            if source.at(index + 1) != "<" {
                return Ok(None); // explicit instantiation: the template's body registers itself
            }
            let close = source.close_angle(index + 1).ok_or_else(|| unreadable("template parameter list"))?;
            template = Some(self.template_params(index + 2..close)?);
            index = close + 1;
        }
        let (name, open) = self.name(index)?;
        let close = source
            .partner(open)
            .filter(|c| *c < self.head.end)
            .ok_or_else(|| unreadable("parameter list"))?;
        if !(index..name.start).any(|i| source.at(i) == "void") {
            let help = "declare it `void` and write results to global memory";
            return Err((format!("kernel '{}' must return void", source.words(name)), help));
        }
        let spelled = source.words(name.clone());
        let linkage_block = self.scopes.iter().any(|s| matches!(s, Scope::Linkage));
        let mut path: Vec<&str> = Vec::new();
        if !extern_c && !linkage_block {
            path.extend(self.scopes.iter().filter_map(|s| match s {
                Scope::Namespace(n) if !n.is_empty() => Some(n.as_str()),
                _ => None,
            }));
        }
        path.push(&spelled);
        let (params, param_text) = self.params(open + 1..close);
        let explicit_specialisation = template.as_ref().is_some_and(Vec::is_empty);
        let mut kernel_type = self.kernel_type(index..name.start)?;
        if let (KernelType::Auto, Some((open, close))) = (kernel_type, body) {
            kernel_type = self.task_type(open..close)?;
        }
        Ok(Some(FoundKernel {
            decl: KernelDecl {
                name: path.join("::"),
                place: self.place.clone(),
                kernel_type,
                params,
                template: template.filter(|_| !explicit_specialisation),
                defined: body.is_some(),
            },
            spelled,
            param_text,
            body: body.map(|(open, close)| (source.range(open).end, source.range(close).end)),
        }))
    }

    /// The (qualified) name before the parameter list, and the index of the list's `(`.
    fn name(&self, from: usize) -> Result<(Range<usize>, usize), Refused> {
        let source = self.source;
        let mut index = from;
        while index < self.head.end {
            if GROUPED.contains(&source.at(index)) {
                index += 1;
                if source.at(index) == "(" {
                    index = source.partner(index).ok_or_else(|| unreadable("declaration"))? + 1;
                }
                continue;
            }
            if source.at(index) == "[" {
                index = source.partner(index).ok_or_else(|| unreadable("declaration"))? + 1;
                continue;
            }
            if source.is_ident(index) {
                let mut start = index;
                let mut end = index + 1;
                if source.at(end) == "<" {
                    end = source.close_angle(end).map_or(end, |close| close + 1);
                }
                if source.at(end) == "(" && end < self.head.end {
                    while start >= from + 2 && source.at(start - 1) == "::" && source.is_ident(start - 2) {
                        start -= 2;
                    }
                    return Ok((start..end, end));
                }
                index = end;
                continue;
            }
            index += 1;
        }
        Err((
            "__global__ stands before something that is not a function".into(),
            "write `__global__ __aicore__ void name(…)`",
        ))
    }

    /// Core kind from the qualifiers, in any order.
    fn kernel_type(&self, range: Range<usize>) -> Result<KernelType, Refused> {
        let source = self.source;
        let mut found = KernelType::Auto;
        for index in range {
            let this = match source.at(index) {
                "__vector__" => KernelType::AivOnly,
                "__cube__" => KernelType::AicOnly,
                "__mix__" => {
                    let close = source.partner(index + 1).unwrap_or(index);
                    match source.words(index + 2..close).replace(' ', "").as_str() {
                        "0,1" => KernelType::MixAiv1_0,
                        "1,0" => KernelType::MixAic1_0,
                        "1,1" => KernelType::MixAic1_1,
                        "1,2" => KernelType::MixAic1_2,
                        other => {
                            let help =
                                "use __mix__(1, 2), (1, 1), (1, 0) or (0, 1): cube cores, vector cores";
                            return Err((
                                format!("__mix__({other}) is not a mix of cores this chip has"),
                                help,
                            ));
                        }
                    }
                }
                _ => continue,
            };
            if found != KernelType::Auto && found != this {
                let help = "keep one of __vector__, __cube__ and __mix__";
                return Err(("the kernel has two different core qualifiers".into(), help));
            }
            found = this;
        }
        Ok(found)
    }

    /// Core kind from `KERNEL_TASK_TYPE_DEFAULT(…)` in the body of a kernel without such a qualifier.
    fn task_type(&self, body: Range<usize>) -> Result<KernelType, Refused> {
        let source = self.source;
        let Some(at) = body.clone().find(|i| source.at(*i) == TASK_TYPES[0]) else {
            return Ok(KernelType::Auto);
        };
        match source.at(at + 2) {
            "KERNEL_TYPE_AIV_ONLY" => Ok(KernelType::AivOnly),
            "KERNEL_TYPE_AIC_ONLY" => Ok(KernelType::AicOnly),
            "KERNEL_TYPE_MIX_AIV_1_0" => Ok(KernelType::MixAiv1_0),
            "KERNEL_TYPE_MIX_AIC_1_0" => Ok(KernelType::MixAic1_0),
            "KERNEL_TYPE_MIX_AIC_1_1" => Ok(KernelType::MixAic1_1),
            "KERNEL_TYPE_MIX_AIC_1_2" => Ok(KernelType::MixAic1_2),
            other => {
                let help = "dav-2201 has KERNEL_TYPE_AIV_ONLY, AIC_ONLY, MIX_AIV_1_0, MIX_AIC_1_0, MIX_AIC_1_1 and MIX_AIC_1_2";
                Err((format!("KERNEL_TASK_TYPE_DEFAULT({other}) is not a kernel type of this chip"), help))
            }
        }
    }

    /// Parameter names and the list without default arguments.
    fn params(&self, range: Range<usize>) -> (Vec<String>, String) {
        let source = self.source;
        let mut names = Vec::new();
        let mut texts = Vec::new();
        for part in source.split_commas(range) {
            let declared = before_default(source, part);
            let text = source.words(declared.clone());
            if text == "void" {
                continue;
            }
            let star = if declared.clone().any(|i| source.at(i) == WORKSPACE) { "*" } else { "" };
            names.push(
                declared_name(source, declared).map_or_else(String::new, |name| format!("{star}{name}")),
            );
            texts.push(text.replace(WORKSPACE, ""));
        }
        (names, texts.join(", "))
    }

    fn template_params(&self, range: Range<usize>) -> Result<Vec<TemplateParam>, Refused> {
        let source = self.source;
        let mut params = Vec::new();
        for part in source.split_commas(range) {
            let declared = before_default(source, part.clone());
            let Some(last) = declared.clone().last() else {
                return Err(unreadable("template parameter list"));
            };
            let pack = declared.clone().any(|i| source.at(i) == "...");
            let name = declared_name(source, declared);
            if name.is_none() && source.at(last) == ")" {
                let help = "give the template parameter a name";
                return Err(("a function-pointer template parameter of a kernel has no name".into(), help));
            }
            params.push(TemplateParam { name, pack, end: source.range(last).end });
        }
        Ok(params)
    }
}

fn unreadable(what: &str) -> Refused {
    (format!("cannot read the {what} of this kernel"), "check that its brackets are balanced")
}

/// The part of a parameter before its default argument.
fn before_default(source: &Source, part: Range<usize>) -> Range<usize> {
    let mut index = part.start;
    while index < part.end {
        match source.at(index) {
            "=" => return part.start..index,
            "(" | "[" | "{" => index = source.partner(index).unwrap_or(index),
            "<" => index = source.close_angle(index).filter(|c| *c < part.end).unwrap_or(index),
            _ => {}
        }
        index += 1;
    }
    part
}

/// Name declared by `int n`, `typename T`, `Ts... ts`, `float (*f)(int)`, `int a[3]`; `None` if there is none.
fn declared_name(source: &Source, part: Range<usize>) -> Option<String> {
    let mut end = part.end;
    while end > part.start && source.at(end - 1) == "]" {
        end = source.partner(end - 1)?;
    }
    if end > part.start && source.at(end - 1) == ")" {
        let close = part.clone().find(|i| source.at(*i) == ")")?;
        let named =
            close > part.start + 1 && source.is_ident(close - 1) && matches!(source.at(close - 2), "*" | "&");
        return named.then(|| source.at(close - 1).to_string());
    }
    let last = end.checked_sub(1).filter(|l| *l > part.start)?;
    let named =
        source.is_ident(last) && !TYPE_WORDS.contains(&source.at(last)) && source.at(last - 1) != "::";
    named.then(|| source.at(last).to_string())
}
