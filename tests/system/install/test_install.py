# SPDX-License-Identifier: BSD-3-Clause
"""Installs the build, moves the tree, and builds C and C++ programs of someone else's against it, with
pkg-config and with find_package, shared and static; runs them and reads their logs.

usage: test_install.py CMAKE BUILD HEADERS WORK CC CXX"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).parent / "project"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED: " + what)
    return holds


def run(*command, env=None):
    """The output, or None; a failure is noted."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          env=dict(os.environ, **(env or {})))
    if check(done.returncode == 0, "%s\n%s%s" % (" ".join(map(str, command)), done.stdout, done.stderr)):
        return done.stdout
    return None


def parts_of(headers):
    """The headers that tprof.h is made of."""
    return re.findall(r'^#include "(.*)"', (pathlib.Path(headers) / "tprof.h").read_text(), re.M)


class Tree:
    """An installed tree."""

    def __init__(self, root):
        self.root = root
        self.lib = next(path.parent for path in root.rglob("libtprof.so"))
        self.pkg_config = {"PKG_CONFIG_PATH": str(self.lib / "pkgconfig")}

    def flags(self, *options):
        return (run("pkg-config", *options, "libtprof", env=self.pkg_config) or "").split()


def check_files(tree):
    for path in ("bin/tprof-analyze", "bin/tprof-record", "include/tprof/tprof.h",
                 "share/man/man1/tprof-analyze.1", "share/man/man1/tprof-record.1",
                 "share/man/man3/libtprof.3", "share/man/man3/tprof_create.3"):
        check((tree.root / path).exists(), "installed: " + path)
    for name in ("libtprof.a", "libtprof.so.0", "libtprof_inject.so", "pkgconfig/libtprof.pc",
                 "cmake/tprof/tprofConfig.cmake", "cmake/tprof/tprofConfigVersion.cmake"):
        check((tree.lib / name).exists(), "installed: lib/" + name)
    for part in parts_of(tree.root / "include/tprof"):
        check((tree.root / "include/tprof" / part).exists(), "installed: include/tprof/" + part)
    others = [str(path) for path in tree.root.rglob("*") if path.suffix == ".h" and path.parent.name != "tprof"]
    check(not others, "no inner header is installed: %s" % others)


def check_symbols(tree):
    dynamic = run("readelf", "-d", tree.lib / "libtprof.so") or ""
    check("soname: [libtprof.so.0]" in dynamic, "the soname is libtprof.so.0")
    for library, option, allowed in (("libtprof.so", "-D", r"tprof_|InitializeInjectionNvtx2$"),
                                     ("libtprof.a", "-g", r"tprof_|tp_")):
        listing = run("nm", option, "--defined-only", tree.lib / library) or ""
        names = re.findall(r"^\w+ [A-TV-Zuvw] (\S+)$", listing, re.M)
        check(names, "%s has symbols" % library)
        strange = sorted({name for name in names if not re.match(allowed, name)})
        check(not strange, "%s keeps to its names: %s" % (library, strange[:8]))


def check_manual(tree, headers):
    """Each function of the headers has a page."""
    text = re.sub(r"//.*", "", "".join((pathlib.Path(headers) / part).read_text() for part in parts_of(headers)))
    functions = set(re.findall(r"\b(tprof_[a-z_]*[a-z])\(", text))
    pages = {path.stem for path in (tree.root / "share/man/man3").glob("*.3")}
    check(functions <= pages, "functions without a page: %s" % sorted(functions - pages))
    help_text = run(tree.root / "bin/tprof-record", "--help") or ""
    page = (tree.root / "share/man/man1/tprof-record.1").read_text().replace("\\-", "-")
    for word in re.findall(r"--[a-z-]+|TPROF_[A-Z_]+", help_text):
        check(word in page, "tprof-record.1 tells of " + word)
    if shutil.which("man") and shutil.which("groff"):
        shown = run("man", "-P", "cat", "tprof_create", env={"MANPATH": str(tree.root / "share/man")})
        check(shown is None or "the life of a profiler" in shown, "man tprof_create")


def check_log(tree, program, work, library_path=True):
    """Runs a program; its log must hold what it recorded."""
    log = work / ("log_" + program.name)
    env = {"LD_LIBRARY_PATH": str(tree.lib)} if library_path else None
    if run(program, log, env=env) is None:
        return
    report = run(tree.root / "bin/tprof-analyze", "-q", "-f", "json", "--views", "operators", log)
    check(report is not None and '"foreign work"' in report, "%s: its range is in its log" % program.name)


def check_pkg_config(tree, work, compilers):
    for source, compiler, standard in (("foreign.c", compilers[0], "-std=c11"),
                                       ("foreign.cpp", compilers[1], "-std=c++11")):
        name = work / source.replace(".", "_")
        build = [*compiler, standard, *STRICT, PROJECT / source, "-o"]
        if run(*build, name, *tree.flags("--cflags", "--libs")) is not None:
            check_log(tree, name, work)
        static = name.with_name(name.name + "_static")
        flags = [flag.replace("-ltprof", "-l:libtprof.a")
                 for flag in tree.flags("--cflags", "--libs", "--static")]
        if run(*build, static, *flags) is not None:
            needed = run("readelf", "-d", static) or ""
            check("libtprof.so" not in needed, "%s stands without the shared library" % static.name)
            check_log(tree, static, work, library_path=False)


def check_find_package(tree, work, cmake, compilers):
    build = work / "project"
    configure = [cmake, "-S", PROJECT, "-B", build, "-DCMAKE_PREFIX_PATH=%s" % tree.root,
                 "-DCMAKE_C_COMPILER=%s" % compilers[0][0], "-DCMAKE_CXX_COMPILER=%s" % compilers[1][0]]
    if run(*configure) is None or run(cmake, "--build", build) is None:
        return
    for name in ("c_tprof", "cxx_tprof", "c_tprof_static", "cxx_tprof_static"):
        check_log(tree, build / name, work)


def main():
    cmake, build, headers, work, *compilers = sys.argv[1:]
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for tool in ("pkg-config", "readelf", "nm", compilers[0], compilers[1]):
        if not shutil.which(tool):
            print("skipped: no %s" % tool)
            return 77
    if run(cmake, "--install", build, "--prefix", work / "installed") is None:
        return 1
    # Nothing in the tree may remember where it was put first.
    (work / "installed").rename(work / "moved")
    tree = Tree(work / "moved")
    compilers = [[compiler] for compiler in compilers]
    check_files(tree)
    check_symbols(tree)
    check_manual(tree, headers)
    check_pkg_config(tree, work, compilers)
    check_find_package(tree, work, cmake, compilers)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
