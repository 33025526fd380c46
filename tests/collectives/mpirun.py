#!/usr/bin/env python3
"""Runs a test program under mpirun: mpirun.py <mpirun> <processes> <program> run|killed|survived.

run: all its tests, on every rank. killed: a rank dies, and whoever reads the ranks' records afterwards names it, though the
launcher has ended all others. survived: the launcher lets them live, and they name it themselves.
Where mpirun cannot start processes: skipped, with the reason.
"""

import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def environment():
    """For Open MPI: tests may run as root, on fewer processors than ranks, in containers that forbid to read another process."""
    settings = dict(os.environ)
    settings.update(
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_op="^avx",  # its sums of 8 and 16 bits saturate (open-mpi/ompi#8045)
        PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
    )
    return settings


def run(command, seconds, **more):
    return subprocess.run(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds, **more)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def expect(condition, message, output):
    if not condition:
        print(output)
        sys.exit(f"FAILED: {message}")


def culprits(output, who):
    return {(match[1], int(match[2])) for match in re.finditer(rf"({who}[ 0-9]*): culprit (\d+)", output)}


def main():
    mpirun, processes, program, mode = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    try:
        probe = run([mpirun, "-n", str(processes), "true"], 60)
    except (OSError, subprocess.TimeoutExpired) as error:
        skip(f"{mpirun} cannot start {processes} processes: {error}")
    if probe.returncode != 0:
        skip(f"{mpirun} cannot start {processes} processes: {probe.stdout.strip().splitlines()[-1:]}")

    if mode == "run":
        done = run([mpirun, "-n", str(processes), program], 300)
        passed = done.stdout.count("All tests passed")
        expect(done.returncode == 0 and passed == processes, f"{passed} of {processes} ranks passed, status {done.returncode}", done.stdout)
        return

    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASSAY_FLIGHT_FOLDER"] = folder
        options = []
        if mode == "survived":
            version = run([mpirun, "--version"], 60).stdout
            if "Open MPI" not in version and "OpenRTE" not in version:
                skip("only Open MPI's mpirun is known to let survivors live")
            options = ["--enable-recovery"]
        done = run([mpirun, *options, "-n", str(processes), program, "[killed]"], 120)
        expect("nobody missed the dead rank" not in done.stdout, "ranks went on without the dead one", done.stdout)
        read = run([program, "[flight_report]"], 60)
        victim = processes - 1
        expect(culprits(read.stdout, "reader") == {("reader", victim)}, f"the reader should name rank {victim}, and nobody else", done.stdout + read.stdout)
        if mode == "survived":
            wanted = {(f"survivor {rank}", victim) for rank in range(victim)}
            expect(culprits(done.stdout, "survivor") == wanted, f"every survivor should name rank {victim}, and nobody else", done.stdout)
        print(read.stdout)


main()
