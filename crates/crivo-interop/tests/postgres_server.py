"""A PostgreSQL server of its own with the extension hll, in a temporary folder and behind a Unix socket.

    python postgres_server.py FOLDER

Each line of FOLDER/questions.txt is: file, expected number of distinct items, file of the union with itself. The server must read the file, count
about as many items, and return the same bytes for the sketch and for the union.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Answers of different estimators from equal registers.
CLOSE = 0.05


def program(name):
    """A program of the newest version."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name) or sys.exit(f"skipped: there is no {name}")


@contextlib.contextmanager
def ask():
    """A function that answers a query with its first row, the columns separated by bars."""
    # The server refuses to run as root.
    user = {"user": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as folder:
        if user:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"
        subprocess.run([program("initdb"), "-D", data, "-U", "postgres", "--no-sync"], check=True, cwd=folder, **quiet, **user)
        settings = f"-F -k {folder} -c listen_addresses="
        control = [program("pg_ctl"), "-D", data, "-w", "-o", settings]
        subprocess.run([*control, "start"], check=True, cwd=folder, **quiet, **user)
        try:

            def query(sql):
                words = [program("psql"), "-h", folder, "-U", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1"]
                run = subprocess.run(words, input=sql, capture_output=True, text=True, cwd=folder, **user)
                if run.returncode != 0:
                    sys.exit(run.stderr)
                return run.stdout.strip()

            if not query("SELECT 1 FROM pg_available_extensions WHERE name = 'hll'"):
                sys.exit("skipped: PostgreSQL has no extension hll")
            query("CREATE EXTENSION hll")
            yield query
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, cwd=folder, **quiet, **user)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    lines = (folder / "questions.txt").read_text().splitlines()
    with ask() as query:
        for line in lines:
            name, expected = line.split(" ")
            content = (folder / name).read_bytes().hex()
            sketch = f"SELECT '\\x{content}'::hll AS s"
            answer, again, union = query(
                f"SELECT hll_cardinality(s), substr(s::text, 3), substr((s || s)::text, 3) FROM ({sketch}) AS s"
            ).split("|")
            if abs(float(answer) - float(expected)) > CLOSE * float(expected):
                sys.exit(f"{name}: {answer} items, Crivo says {expected}")
            if again != content or union != content:
                sys.exit(f"{name}: written as {again}, and its union as {union}")
    print(f"{len(lines)} answers agree")
