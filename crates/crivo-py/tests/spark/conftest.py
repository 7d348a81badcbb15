"""One Spark session for all tests: two executors in processes of their own."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[4]
LACKING = [
    name
    for name, is_there in (
        ("Java 17 or later", shutil.which("java") or os.environ.get("JAVA_HOME")),
        ("PySpark 4.1 or later", any((pathlib.Path(path) / "pyspark").is_dir() for path in sys.path)),
    )
    if not is_there
]
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
collect_ignore_glob = ["test_*.py"] if LACKING else []


def pytest_report_header() -> str:
    return f"skipped: the tests of crivo.spark need {' and '.join(LACKING)}" if LACKING else "crivo.spark is tested"


def session() -> Any:
    """A session with two executors. The results of all tasks of a job may take 4 MiB of the driver, no more."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    # Tasks read the classes of tests, and the module where it is not installed.
    paths = os.pathsep.join([str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    built = SparkSession.builder.master(os.environ.get("CRIVO_SPARK_MASTER", "local-cluster[2,1,1024]")).appName("crivo")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        # Small jobs: what the compilers of Java and of Spark take would be most of the time.
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.driver.maxResultSize": "4m",
        "spark.executorEnv.PYTHONPATH": paths,
        "spark.sql.session.timeZone": "UTC",
    }.items():
        built = built.config(name, value)
    return built.getOrCreate()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    try:
        made = session()
    except Exception:
        # On a loaded machine, the executors may register too late for the first attempt.
        made = session()
    import crivo.spark

    crivo.spark.register(made)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder for the tables of all tests."""
    return tmp_path_factory.mktemp("spark")
