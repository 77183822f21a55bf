"""A Slurm cluster of one node on this machine, as root, without systemd, munge or accounting."""

import os
import pathlib
import shutil
import socket
import subprocess
import time

import common

NODE = "node1"
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo")

# Ports, sockets and files are the test's own, so that a Slurm of the machine is not touched.
CONFIGURATION = """ClusterName=skinbake
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0
SchedulerType=sched/backfill
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
NodeName={node} NodeHostName={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    """Ports that no program listens on; taken together, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class SlurmCluster:
    """Starts on entry of a `with` block, and ends with it. `environment`: for programs that use the cluster."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = []
        # Debian has them in /usr/sbin, which is not in every PATH.
        self.path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        missing = [name for name in PROGRAMS if shutil.which(name, path=self.path) is None]
        if missing:
            common.skip(f"no {missing[0]}; scripts/setup --ci installs it (slurm-wlm)")
        if os.geteuid() != 0:
            common.skip("not root: without munge, only root can run Slurm's daemons")

    def __enter__(self):
        controller_port, node_port = free_ports(2)
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, node=NODE, processors=os.cpu_count(),
            controller_port=controller_port, node_port=node_port))
        self.environment = {**os.environ, "SLURM_CONF": str(configuration), "PATH": self.path}
        try:
            self.start("slurmctld", "-D", "-c")
            self.start("slurmd", "-D", "-N", NODE)
            self.wait_until_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, name, *options):
        log = open(self.folder / f"{name}.err", "wb")
        with log:
            self.daemons.append(subprocess.Popen([shutil.which(name, path=self.path), *options], stdin=subprocess.DEVNULL,
                                                 stdout=log, stderr=log, env=self.environment))

    def wait_until_idle(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended with {daemon.returncode}:\n{self.logs()}")
            state = self.run("sinfo", "--noheader", "--format=%T", check=False).stdout.strip()
            if state == "idle":
                return
            time.sleep(0.1)
        raise RuntimeError(f"the node is not idle after {seconds} s, but '{state}':\n{self.logs()}")

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-2000:]}"
                         for path in sorted(self.folder.glob("*.[le][or][gr]")))

    def run(self, *words, check=True, **options):
        return subprocess.run([str(word) for word in words], env=self.environment, check=check, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
