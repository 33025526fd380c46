"""The Python package: built as a wheel, installed, and tested with its doctests and the tour of its README.

    python_package.py LIBRARY SOURCE ENVIRONMENT BUILD [ARGUMENT…]

LIBRARY is libassay_host, which the wheel takes instead of compiling it again; SOURCE the project; ENVIRONMENT a virtual environment with nanobind,
scikit-build-core, numpy and pytest; BUILD a folder for what is built, kept from run to run. ARGUMENTS go to pytest, in place of the usual ones; those behind
"--" to another pytest: PyTorch and TensorFlow in one process end it. Exit status 77, which ctest calls skipped, where something is missing.
"""

import os
import subprocess
import sys
import shutil

NEEDED = {"nanobind": "nanobind", "scikit_build_core": "scikit-build-core", "numpy": "numpy", "pytest": "pytest"}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def main(library, source, environment, build, *arguments):
    python = os.path.join(environment, "bin", "python3")
    if not os.path.exists(python):
        reason = os.path.join(environment, "reason")
        skip(open(reason).read().strip() if os.path.exists(reason) else f"{environment} is no virtual environment; cmake/test.sh makes it")
    told = subprocess.run([python, "-c", "import importlib.util, os, sys, sysconfig\n"
                           f"print(*[each for each in {list(NEEDED)!r} if importlib.util.find_spec(each) is None])\n"
                           "print(os.path.join(sysconfig.get_paths()['include'], 'Python.h'))"], capture_output=True, text=True, check=True).stdout.splitlines()
    if told[0]:
        skip(f"{', '.join(NEEDED[each] for each in told[0].split())} not installed in {environment}")
    if not os.path.exists(told[1]):
        skip(f"{told[1]} is not there: apt-get install python3-dev")
    os.makedirs(build, exist_ok=True)
    site, wheels = os.path.join(build, "site"), os.path.join(build, "wheels")
    for folder in (site, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    settings = {**os.environ, "ASSAY_HOST_LIBRARY": library}
    if shutil.which("ccache"):
        settings["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    package = os.path.join(source, "examples", "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", f"--config-settings=build-dir={build}/objects", "--config-settings=cmake.build-type=Debug", "-w", wheels, package],
                   env=settings, check=True)
    [wheel] = os.listdir(wheels)
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", site, os.path.join(wheels, wheel)], check=True)
    tests = os.path.join(source, "tests", "examples", "python_package")
    chosen = list(arguments) or ["--doctest-modules", "--doctest-glob=README.md", "-o", "doctest_optionflags=ELLIPSIS", tests, os.path.join(site, "assay"), os.path.join(package, "README.md"),
                                 *[f"--ignore-glob=*/assay/{framework}*.py" for framework in ("torch", "jax", "tensorflow")]]
    settings["PYTHONPATH"] = site
    settings["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", build, "-rs"]
    ends = [i for i, word in enumerate(chosen) if word == "--"]
    parts = [chosen[begin + 1 : end] for begin, end in zip([-1, *ends], [*ends, len(chosen)])]
    sys.exit(max([subprocess.run([*command, *part], env=settings, cwd=build).returncode for part in parts], key=abs))


if __name__ == "__main__":
    main(*sys.argv[1:])
