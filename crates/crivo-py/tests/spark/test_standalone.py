"""A standalone master with two workers, which get the package in an archive."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tarfile
import time

import crivo
import pyspark

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(crivo.__file__).parent


def python_without_package(folder: pathlib.Path) -> pathlib.Path:
    """A Python with all packages of this one, but not with Crivo."""
    packages = folder / "packages"
    packages.mkdir()
    for site in {pathlib.Path(pyspark.__file__).parents[1], pathlib.Path(shutil.__file__).parent / "site-packages"}:
        for entry in site.iterdir() if site.is_dir() else ():
            if not entry.name.startswith("crivo") and not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{packages}" exec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    return python


def test_shipped_sketches_on_a_standalone_cluster(tmp_path: pathlib.Path) -> None:
    archive = tmp_path / "crivo.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(PACKAGE, "crivo", filter=lambda entry: None if "__pycache__" in entry.name else entry)
    python = python_without_package(tmp_path)
    lacking = subprocess.run([python, "-c", "import pyarrow, crivo"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
    assert "No module named 'crivo'" in lacking.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = [str(pathlib.Path(pyspark.__file__).parent / "bin" / "spark-class")]
    master = f"spark://127.0.0.1:{port}"
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
    environment["PYSPARK_PYTHON"] = str(python)
    environment["SPARK_HOME"] = str(pathlib.Path(pyspark.__file__).parent)
    classes = "org.apache.spark.deploy"
    commands = [[f"{classes}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]]
    for number in range(2):
        folder = str(tmp_path / f"worker{number}")
        commands.append([f"{classes}.worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0", "-d", folder, master])
    # Two hosts, because a task never runs twice at once on the same one.
    hosts = ["127.0.0.1", "127.0.0.1", "127.0.0.2"]
    running = [
        subprocess.Popen(start + command, env={**environment, "SPARK_LOCAL_IP": host}, stderr=subprocess.DEVNULL)
        for command, host in zip(commands, hosts, strict=True)
    ]
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.2)
        called = [sys.executable, str(HERE / "job.py"), master, str(archive), str(tmp_path / "once")]
        done = subprocess.run(called, capture_output=True, text=True, env=environment, timeout=400)
    finally:
        for process in running:
            process.terminate()
            process.wait()
    assert "equal True shipped True repeated True" in done.stdout, done.stdout + done.stderr
