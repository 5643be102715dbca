#!/usr/bin/env python3
"""Runs the public asc-devkit examples on toprope, as their own manifest says.

    run.py --devkit CHECKOUT --prefix PREFIX [--tier T1] [--case REGEX] [--modes npu,cpu] [--jobs N] [--timeout S] [--json FILE]

Every case of cases.tsv is copied to a folder of its own and built there, unmodified, with cmake and make; its commands run one after the
other in the folder `build`, first with the auto-sync of the vendor's compiler, then without. A case passes when all of them end with 0,
none says that its comparison failed, and what was found (errors and warnings, taken from the report) is exactly what known.tsv lists
for it. A step with a known error may end with another code, and a launch that failed has no result to compare.

PREFIX is what `toprope env --prefix PREFIX` made. Needs cmake, make, python3 with numpy and ml_dtypes (the examples' own scripts).
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# Programs of CANN around an example's own program; the program alone is run.
TOOLS = re.compile(r"^(mssanitizer|msopprof simulator|msopprof)((?: --[\w-]+=\S+)*) (\./\S+).*$")

# What a comparison says that did not come out right.
FAILED = re.compile(r"test fail|verif\w* failed|accuracy .*fail|\[Failed\]|result error|test case fail", re.IGNORECASE)
# What the runtime refuses outside of findings.
REFUSED = re.compile(r"^error: (?!\[).*(not modelled|not supported|does not).*", re.MULTILINE)
# Lines that say why a step failed, best first.
REASONS = [
    re.compile(r"^.*does not know .*$", re.MULTILINE),
    re.compile(r"^.*\berror: .*$", re.MULTILINE),
    re.compile(r"^CMake Error.*$", re.MULTILINE),
    re.compile(r"^.*(?:Error|ERROR|undefined reference|No such file).*$", re.MULTILINE),
]
ESCAPES = re.compile(r"\x1b\[[0-9;]*[mK]")


def read_cases(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            tier, name, folder, modes, variables, commands = line.rstrip("\n").split("\t")
            yield {
                "tier": tier,
                "case": name,
                "folder": folder,
                "modes": modes.split(","),
                "env": {} if variables == "-" else dict(v.split("=", 1) for v in variables.split()),
                "commands": commands.split(" && "),
            }


class Known:
    """Findings that the examples are known to have: known.tsv."""

    def __init__(self, path):
        self.rows = []
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#") and line.strip():
                    cases, sync, finding, _ = line.rstrip("\n").split("\t")
                    self.rows.append((cases, sync, finding))

    def of(self, case, sync):
        """(all that may be found, those of them that must be)"""
        known = [finding for cases, only, finding in self.rows if fnmatch.fnmatchcase(case, cases) and only in (sync, "any")]
        return {finding.lstrip("?") for finding in known}, {finding for finding in known if not finding.startswith("?")}


def place_of(place, work):
    return f"{os.path.relpath(place['file'], work) if os.path.isabs(place['file']) else place['file']}:{place['line']}" if place else "?"


def findings_of(report, work):
    """What a step's report holds: how known.tsv writes a finding, its severity, its sentence; and whether a launch failed."""
    try:
        with open(report, encoding="utf-8") as file:
            text = json.load(file)
    except FileNotFoundError:
        return [], False
    found = []
    for one in text["findings"]:
        sides = [side["place"] for side in one.get("sides", []) if side.get("place")] or [one.get("place")]
        places = [place_of(place, work) for place in sides]
        found.append({"finding": " ".join([one["code"], *places]), "severity": one["severity"], "kernel": one.get("kernel"), "title": one["title"], "help": one.get("help")})
    return found, any(launch["status"] != "ok" for launch in text["launches"])


def commands_of(case, mode):
    """The manifest's commands without the tools around them, each once, for a run mode."""
    seen = []
    for command in case["commands"]:
        tool = TOOLS.match(command)
        if tool:
            command = tool.group(3)
        if command.startswith("cmake ") and mode != "npu":
            command += " -DCMAKE_ASC_RUN_MODE=" + mode
        if command not in seen:
            seen.append(command)
    return seen


def stage_of(command):
    for stage, mark in [("configure", "cmake"), ("build", "make"), ("data", "gen_data"), ("verify", "verify_result")]:
        if mark in command:
            return stage
    return "run"


def first_reason(text):
    for pattern in REASONS:
        found = pattern.search(text)
        if found:
            return found.group(0).strip()
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"


MISSING = re.compile(
    r"‘([\w:<>]+)’ is not a member of ‘AscendC(?:::\w+)*’|no (?:member|type|template) named '(\w+)' in (?:namespace )?'AscendC|"
    r"‘(\w+)’ in namespace ‘AscendC’ does not name|‘class AscendC::\w+[^’]*’ has no member named ‘(\w+)’|‘(\w+)’ was not declared in this scope"
)


def missing_names(text):
    """Names that the compiler did not find, each once."""
    names = [next(name for name in found if name) for found in MISSING.findall(text)]
    # Variables of types that are missing begin with a small letter.
    return list(dict.fromkeys(name for name in names if name[:1].isupper()))


LOCK = threading.Lock()


def run(command, cwd, env, timeout):
    """Exit code (None: too long) and everything it wrote."""
    process = subprocess.Popen(
        command, shell=True, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        out, _ = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        code = None
    return code, ESCAPES.sub("", out.decode("utf-8", "replace"))


def judge(case, mode, options, env):
    """Runs one case in one mode; (passed, stage, reason, seconds, log, findings)."""
    source = os.path.join(options.devkit, "examples", case["folder"])
    if not os.path.isdir(source):
        return False, "source", "not in this checkout", 0.0, "", []
    work = os.path.join(options.work, case["case"].replace("/", "_"))
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)
    build = os.path.join(work, "build")
    os.makedirs(build, exist_ok=True)
    env = dict(env, **case["env"], TOPROPE_REPORT=os.path.join(work, "toprope-report.json"))
    begun = time.monotonic()
    log, findings = [], []
    passed, stage, reason = True, "", ""
    for number, sync in enumerate(options.auto_sync.split(",")):
        env["TOPROPE_AUTO_SYNC"] = sync
        (known, wanted), seen, no_result = options.known.of(case["case"], sync), set(), False
        for command in commands_of(case, mode):
            stage = stage_of(command)
            if number > 0 and stage in ("configure", "build", "data") or no_result and stage == "verify":
                continue
            left = options.timeout - (time.monotonic() - begun)
            if os.path.exists(env["TOPROPE_REPORT"]):
                os.remove(env["TOPROPE_REPORT"])
            code, text = run(command, build, env, max(left, 1))
            log.append(f"$ TOPROPE_AUTO_SYNC={sync} {command}\n{text}[ended with {code}]\n")
            found, failed = findings_of(env["TOPROPE_REPORT"], work)
            no_result |= failed
            findings += [dict(one, sync=sync) for one in found if one["finding"] not in seen]
            seen |= {one["finding"] for one in found}
            passed, reason = step_passed(code, text, found, known, options)
            if not passed:
                break
        if passed and wanted - seen and not options.collect:
            passed, stage, reason = False, "run", f"auto-sync {sync}: known, but not reported: {'; '.join(sorted(wanted - seen))}"
        if not passed:
            break
    seconds = time.monotonic() - begun
    if not options.keep:
        shutil.rmtree(work, ignore_errors=True)
    return passed, stage, reason.replace(work, ".")[:400], seconds, "".join(log), findings


def step_passed(code, text, found, known, options):
    """(passed, reason) of one command."""
    if code is None:
        return False, f"no end after {options.timeout} s"
    unexpected = [one for one in found if one["finding"] not in known]
    if unexpected and not options.collect:
        return False, f"{unexpected[0]['finding']}: {unexpected[0]['title']}"
    failed = REFUSED.search(text) or (FAILED.search(text) if code == 0 else None)
    if failed:
        return False, failed.group(0).strip()
    if code != 0 and not any(one["severity"] == "Error" for one in found):
        return False, f"signal {-code}: {first_reason(text)}" if code < 0 else first_reason(text)
    return True, ""


def environment(prefix):
    """The environment of `toprope env` without the search variables, which these projects must not need."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND") and k not in ("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH")}
    script = f". '{prefix}/set_env.sh' && env -0"
    out = subprocess.run(["sh", "-c", script], env=env, check=True, stdout=subprocess.PIPE).stdout
    env = dict(entry.split("=", 1) for entry in out.decode("utf-8", "surrogateescape").split("\0") if "=" in entry)
    env["LC_ALL"] = "C.UTF-8"
    env.pop("MAKEFLAGS", None)
    return env


def table(results):
    """Totals by tier; what failed, scenarios with the same reason in one line; what is missing most."""
    lines = []
    tiers = list(dict.fromkeys(r["tier"] for r in results))
    for mode in dict.fromkeys(r["mode"] for r in results):
        lines.append(f"run mode {mode}:")
        for tier in tiers + ["all"]:
            of = [r for r in results if r["mode"] == mode and tier in (r["tier"], "all")]
            if of:
                lines.append(f"  {tier:<4} {sum(r['passed'] for r in of):>4} of {len(of):>4} pass")
    groups = {}
    for r in results:
        if not r["passed"]:
            key = (r["tier"], r["case"].split("__")[0], r["mode"], r["stage"], r["reason"], tuple(r["missing"]))
            groups.setdefault(key, []).append(r["case"].partition("__scenario_")[2])
    if groups:
        lines.append("failed:")
    for (tier, case, mode, stage, reason, missing), scenarios in groups.items():
        which = f" scenario {','.join(scenarios)}" if scenarios != [""] else ""
        lines.append(f"  {tier:<4} {case}{which} [{mode}] {stage}: {reason}")
        if len(missing) > 1:
            lines.append(f"         all that the compiler misses: {' '.join(missing)}")
    cases = {}
    for r in results:
        for name in r["missing"]:
            cases.setdefault(name, set()).add(r["case"])
    if cases:
        lines.append("missing names by number of cases: " + ", ".join(f"{name} {len(of)}" for name, of in sorted(cases.items(), key=lambda c: -len(c[1]))))
    slow = sorted(results, key=lambda r: -r["seconds"])[:5]
    lines.append("slowest: " + ", ".join(f"{os.path.basename(r['case'])} {r['seconds']:.0f} s" for r in slow))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Runs the asc-devkit examples on toprope.")
    parser.add_argument("--devkit", default=os.environ.get("ASC_DEVKIT"), help="checkout of asc-devkit (else ASC_DEVKIT)")
    parser.add_argument("--prefix", default=os.environ.get("ASCEND_HOME_PATH"), help="folder of `toprope env --prefix` (else ASCEND_HOME_PATH)")
    parser.add_argument("--tier", action="append", help="only these tiers")
    parser.add_argument("--case", help="only cases whose name matches")
    parser.add_argument("--modes", default="npu,cpu", help="run modes, where the manifest has them; a case without any runs as npu")
    parser.add_argument("--auto-sync", default="on,off", help="settings to run with, in this order")
    parser.add_argument("--cases", default=os.path.join(HERE, "cases.tsv"), help="list of cases")
    parser.add_argument("--known", default=os.path.join(HERE, "known.tsv"), help="list of findings that the cases have")
    parser.add_argument("--collect", action="store_true", help="findings that known.tsv does not list do not fail a case (to make the list)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one case in one mode")
    parser.add_argument("--json", help="file for the results")
    parser.add_argument("--after", help="results of an earlier run: what passed then is taken over and not run again")
    parser.add_argument("--logs", help="folder for what the cases wrote that fail or have findings")
    parser.add_argument("--work", help="folder for the copies (default: a temporary one)")
    parser.add_argument("--keep", action="store_true", help="keep the copies")
    options = parser.parse_args()
    if not options.devkit or not os.path.isdir(os.path.join(options.devkit, "examples")):
        sys.exit("run.py: --devkit (or ASC_DEVKIT) must name a checkout of asc-devkit")
    if not options.prefix or not os.path.exists(os.path.join(options.prefix, "set_env.sh")):
        sys.exit("run.py: --prefix must name a folder that `toprope env --prefix` made")
    options.prefix = os.path.abspath(options.prefix)
    options.known = Known(options.known)
    env = environment(options.prefix)
    owner = None
    if not options.work:
        owner = tempfile.TemporaryDirectory(prefix="toprope-examples-")
        options.work = owner.name
    wanted = options.modes.split(",")
    todo = []
    for case in read_cases(options.cases):
        if options.tier and case["tier"] not in options.tier:
            continue
        if options.case and not re.search(options.case, case["case"]):
            continue
        modes = [m for m in wanted if m in case["modes"]]
        # An example of one mode only (cpu or sim) still has to build and run as users first try it.
        if not any(m in case["modes"] for m in ("npu",)) and "npu" in wanted:
            modes = ["npu"] + modes
        todo.append((case, modes))
    results = []
    if options.after and os.path.exists(options.after):
        with open(options.after, encoding="utf-8") as file:
            known = {case["case"] for case, _ in todo}
            results = [r for r in json.load(file)["results"] if r["passed"] and r["case"] in known and r["mode"] in wanted]
    passed_before = {(r["case"], r["mode"]) for r in results}

    def one(entry):
        case, modes = entry
        for mode in [m for m in modes if (case["case"], m) not in passed_before]:
            passed, stage, reason, seconds, log, findings = judge(case, mode, options, env)
            missing = missing_names(log) if stage == "build" and not passed else []
            result = {"tier": case["tier"], "case": case["case"], "mode": mode, "passed": passed, "stage": stage, "reason": reason, "missing": missing, "seconds": round(seconds, 2), "findings": findings}
            with LOCK:
                results.append(result)
                if (not passed or findings) and options.logs:
                    os.makedirs(options.logs, exist_ok=True)
                    with open(os.path.join(options.logs, case["case"].replace("/", "_") + "." + mode + ".log"), "w", encoding="utf-8") as file:
                        file.write(log)
                print(f"{'pass' if passed else 'FAIL'} {case['tier']:<4} {case['case']} [{mode}] {seconds:.1f} s{'' if passed else ' ' + stage + ': ' + reason}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(one, entry) for entry in todo]:
            future.result()
    order = {case["case"]: n for n, (case, _) in enumerate(todo)}
    results.sort(key=lambda r: (order[r["case"]], r["mode"]))
    print(table(results), end="")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "results": results}, file, indent=1)
    if owner:
        owner.cleanup()
    sys.exit(0 if all(r["passed"] for r in results) else 1)


if __name__ == "__main__":
    main()
