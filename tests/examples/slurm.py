"""Real Slurm and our recipes: a node that is well keeps working, and one with a fault is drained, with the reason.

  python3 slurm.py ASSAY FOLDER_OF_EXAMPLES; exit code 77: skipped, with the reason

munged, slurmctld and slurmd run in a folder of their own, on free ports, without systemd. ASSAY_SLURM names a folder that
stands before /usr for those who keep Slurm elsewhere; jobs, and so the prolog, need slurmstepd where Slurm looks for it.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ASSAY, RECIPES = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
PREFIX = Path(os.environ.get("ASSAY_SLURM", "/"))
PLUGINS = PREFIX / "usr/lib" / f"{os.uname().machine}-linux-gnu" / "slurm-wlm"


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def program(name):
    for folder in ("usr/sbin", "usr/bin"):
        for file in (name, name + "-wlm"):
            if (PREFIX / folder / file).exists():
                return str(PREFIX / folder / file)
    return shutil.which(name) or skip(f"{name} is not here: apt-get install slurmctld slurmd slurm-client munge")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def node(root, devices):
    shutil.rmtree(root, ignore_errors=True)
    for device in range(devices):
        place = root / f"sys/bus/pci/devices/0000:{device:02x}:00.0"
        place.mkdir(parents=True)
        for name, text in {"class": "0x030200", "vendor": "0x10de", "current_link_width": 16, "max_link_width": 16}.items():
            (place / name).write_text(f"{text}\n")


def main():
    munged, controller, daemon, control = (program(name) for name in ("munged", "slurmctld", "slurmd", "scontrol"))
    if os.geteuid() != 0:
        skip("slurmd wants to be root")
    folder = Path(tempfile.mkdtemp(prefix="assay-slurm-"))
    folder.chmod(0o755)
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "LD_LIBRARY_PATH": f"{PLUGINS}:{PLUGINS.parent}:" + os.environ.get("LD_LIBRARY_PATH", "")}
    host = socket.gethostname().split(".")[0]
    node(folder / "root", 2)
    (folder / "node.json").write_text(json.dumps({"schema": "assay-node/1", "default_limits": False, "devices": ["0000:00:00.0", "0000:01:00.0"]}))
    wrapper = folder / "assay"
    wrapper.write_text(f'#!/bin/sh\nexec {ASSAY} "$@" --root {folder}/root\n')
    settings = (f"#!/bin/sh\nexport ASSAY={wrapper} ASSAY_MANIFEST={folder}/node.json ASSAY_STATE={folder}/node.state SCONTROL={control} SLURM_CONF={folder}/slurm.conf\n"
                f"export LD_LIBRARY_PATH={environment['LD_LIBRARY_PATH']}\n")
    (folder / "health").write_text(settings + f"echo ran >> {folder}/checks\nexec {RECIPES}/slurm/assay_health_check.sh\n")
    (folder / "prolog").write_text(settings + f"exec {RECIPES}/slurm/assay_prolog.sh\n")
    for file in ("assay", "health", "prolog"):
        (folder / file).chmod(0o755)
    for place in ("state", "spool", "munge"):
        (folder / place).mkdir(mode=0o755)
    key = folder / "munge/key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    (folder / "slurm.conf").write_text(f"""ClusterName=assay
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.pid
PluginDir={PLUGINS}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
HealthCheckProgram={folder}/health
HealthCheckInterval=2
HealthCheckNodeState=ANY
Prolog={folder}/prolog
PrologFlags=Alloc
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
""")
    running = []

    def start(name, *command):
        with open(folder / f"{name}.log", "wb") as log:
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True))

    def told():
        done = subprocess.run([control, "show", "node", host], env=environment, capture_output=True, encoding="utf-8", timeout=60)
        return done.stdout + done.stderr

    def wait_for(what, holds, seconds=180):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                logs = "".join(f"--- {log.name}\n" + log.read_text(errors="replace")[-2000:] for log in sorted(folder.glob("*.log")))
                sys.exit(f"not seen within {seconds} s: {what}\n{told()}\n{logs}")
            time.sleep(0.3)

    try:
        start("munged", munged, "--foreground", "--force", f"--socket={folder}/munge/socket", f"--key-file={key}", f"--pid-file={folder}/munge/pid",
              f"--log-file={folder}/munge/log", f"--seed-file={folder}/munge/seed")
        wait_for("munged's socket", lambda: (folder / "munge/socket").exists())
        start("slurmctld", controller, "-D", "-f", str(folder / "slurm.conf"))
        start("slurmd", daemon, "-D", "-f", str(folder / "slurm.conf"), "-N", host)
        wait_for("a node that is idle", lambda: "State=IDLE" in told() and "DRAIN" not in told())
        checks = lambda: len((folder / "checks").read_text().splitlines()) if (folder / "checks").exists() else 0
        before = checks()
        wait_for("two checks of a node that is well", lambda: checks() >= before + 2)
        time.sleep(1)
        assert "DRAIN" not in told(), "a node that is well was drained:\n" + told()
        print("a node that is well stays in service after", checks(), "checks")
        jobs = os.path.exists("/usr/sbin/slurmstepd")
        if jobs:
            job = subprocess.run([program("srun"), "--immediate=60", "true"], env=environment, capture_output=True, encoding="utf-8", timeout=240)
            assert job.returncode == 0, "a job on a node that is well failed:\n" + job.stderr
            print("a job runs after the prolog")
        node(folder / "root", 1)
        wait_for("a node with a fault that is drained", lambda: "DRAIN" in told())
        reason = [line.strip() for line in told().splitlines() if "Reason=" in line]
        assert reason and "0000:01:00.0 is absent" in reason[0], "the reason is not told:\n" + told()
        print("a node whose device is gone is drained:", reason[0])
        if not jobs:
            print("the prolog was not tried: there is no /usr/sbin/slurmstepd")
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


main()
