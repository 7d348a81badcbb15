"""Writes the golden files: sketches made by Apache DataSketches itself.

    python golden.py cpp  FOLDER    with the package datasketches (C++)
    python golden.py java FOLDER    with the package pyspark, which contains the Java classes
    python golden.py spark FOLDER   with the package pyspark
    python golden.py redis FOLDER   with redis-server

Every file is written once and never again: an existing file is kept. expected.txt has a line for each file, with the estimate of the
library that wrote it, or for quantiles the number of values.
"""

import pathlib
import socket
import subprocess
import sys
import tempfile
import time


class Folder:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.expected = self.path / "expected.txt"
        self.expected.touch()

    def put(self, name, content, answer):
        target = self.path / name
        if target.exists():
            return
        target.write_bytes(content)
        with self.expected.open("a") as lines:
            lines.write(f"{name} {answer!r}\n")


def filled(sketch, items):
    for item in items:
        sketch.update(item)
    return sketch


def cpp_theta(ds, out):
    for name, lg_k, items in [
        ("empty", 12, []),
        ("one", 12, range(1)),
        ("few", 12, range(100)),
        ("many", 5, range(1000)),
        ("texts", 5, [f"visitor {i}" for i in range(300)]),
        ("numbers", 5, [i / 4 for i in range(300)] + [-0.0, float("nan")]),
    ]:
        sketch = filled(ds.update_theta_sketch(lg_k), items)
        out.put(f"cpp-{name}.theta", sketch.compact().serialize(), sketch.get_estimate())
        out.put(f"cpp-{name}-unordered.theta", sketch.compact(False).serialize(), sketch.get_estimate())
        out.put(f"cpp-{name}-v4.theta", sketch.compact().serialize(compress=True), sketch.get_estimate())
    a, b = (filled(ds.update_theta_sketch(6), items) for items in (range(3000), range(2000, 5000)))
    union = ds.theta_union(6)
    union.update(a)
    union.update(b)
    for name, sketch in [
        ("a", a.compact()),
        ("b", b.compact()),
        ("union", union.get_result()),
        ("difference", ds.theta_a_not_b().compute(a, b)),
    ]:
        out.put(f"cpp-{name}.theta", sketch.serialize(), sketch.get_estimate())
    both = ds.theta_intersection()
    both.update(a)
    both.update(b)
    out.put("cpp-intersection.theta", both.get_result().serialize(), both.get_result().get_estimate())


def cpp_hll(ds, out):
    for bits, width in [(4, ds.HLL_4), (6, ds.HLL_6), (8, ds.HLL_8)]:
        for name, lg_k, items in [
            ("empty", 12, []),
            ("list", 12, range(5)),
            ("table", 10, range(60)),
            ("registers", 6, range(5000)),
            ("exceptions", 7, range(5_780_000, 5_783_000)),
        ]:
            sketch = filled(ds.hll_sketch(lg_k, width), items)
            out.put(f"cpp-{name}-{bits}.hll", sketch.serialize_compact(), sketch.get_estimate())
            if name in ("list", "table", "registers"):
                out.put(f"cpp-{name}-{bits}-updatable.hll", sketch.serialize_updatable(), sketch.get_estimate())
        union = ds.hll_union(6)
        for items in (range(3000), range(2000, 5000)):
            union.update(filled(ds.hll_sketch(6, width), items))
        merged = union.get_result(width)
        out.put(f"cpp-merged-{bits}.hll", merged.serialize_compact(), merged.get_estimate())


def cpp_kll(ds, out):
    texts = lambda count: [f"item {i:05}" for i in range(count)]
    for name, make, items in [
        ("floats", ds.kll_floats_sketch, lambda count: [i / 2 for i in range(count)]),
        ("doubles", ds.kll_doubles_sketch, lambda count: [i / 2 for i in range(count)]),
        ("texts", ds.kll_items_sketch, texts),
    ]:
        for size, count in [("empty", 0), ("one", 1), ("few", 10), ("many", 3000)]:
            sketch = filled(make(20), items(count))
            serde = [ds.PyStringsSerDe()] if name == "texts" else []
            out.put(f"cpp-{name}-{size}.kll", sketch.serialize(*serde), sketch.n)


def java(out):
    from pyspark.java_gateway import launch_gateway

    kinds = launch_gateway().jvm.org.apache.datasketches
    for size, count in [("empty", 0), ("one", 1), ("few", 10), ("many", 3000)]:
        sketch = kinds.kll.KllLongsSketch.newHeapInstance(20)
        for i in range(count):
            sketch.update((i - 1000) * 3)
        out.put(f"java-longs-{size}.kll", bytes(sketch.toByteArray()), sketch.getN())
    for name, lg_k, count in [("empty", 12, 0), ("one", 12, 1), ("few", 12, 100), ("many", 5, 1000)]:
        sketch = kinds.theta.UpdateSketch.builder().setNominalEntries(1 << lg_k).build()
        for i in range(count):
            sketch.update(i)
        out.put(f"java-{name}.theta", bytes(sketch.compact().toByteArray()), sketch.getEstimate())
        out.put(f"java-{name}-v4.theta", bytes(sketch.compact().toByteArrayCompressed()), sketch.getEstimate())
    for name, lg_k, count in [("list", 12, 5), ("table", 10, 60), ("registers", 6, 5000)]:
        sketch = kinds.hll.HllSketch(lg_k)
        for i in range(count):
            sketch.update(i)
        out.put(f"java-{name}-4.hll", bytes(sketch.toCompactByteArray()), sketch.getEstimate())


def spark(out):
    """Count-Min sketches and Bloom filters of Spark's own. answers.txt has what they answer for some items."""
    from pyspark.java_gateway import launch_gateway

    jvm = launch_gateway().jvm
    kinds = jvm.org.apache.spark.util.sketch

    def written(sketch):
        stream = jvm.java.io.ByteArrayOutputStream()
        sketch.writeTo(stream)
        return bytes(stream.toByteArray())

    answers = []
    counts = kinds.CountMinSketch.create(4, 32, 42)
    for i in range(300):
        counts.addLong(i * i % 97 - 20)
        counts.addString(f"visitor {i % 40}")
    out.put("spark-counts.cms", written(counts), float(counts.totalCount()))
    for i in range(-25, 90):
        answers.append(f"spark-counts.cms number {i} {counts.estimateCount(i)}")
    for text in [f"visitor {i}" for i in range(60)] + ["", "a", "caf\u00e9", "\u20ac5"]:
        answers.append(f"spark-counts.cms text {counts.estimateCount(text)} {text}")
    for name, version, seed in [("1", kinds.BloomFilter.Version.V1, 0), ("2", kinds.BloomFilter.Version.V2, -7)]:
        bloom = kinds.BloomFilter.create(version, 60, 512, seed)
        for i in range(30):
            bloom.putLong(i * 7 - 50)
            bloom.putString(f"visitor {i}")
        out.put(f"spark-{name}.bloom", written(bloom), float(bloom.bitSize()))
        for i in range(-60, 200):
            answers.append(f"spark-{name}.bloom number {i} {int(bloom.mightContainLong(i))}")
        for text in [f"visitor {i}" for i in range(200)] + ["", "a", "caf\u00e9", "\u20ac5"]:
            answers.append(f"spark-{name}.bloom text {int(bloom.mightContainString(text))} {text}")
    target = out.path / "answers.txt"
    if not target.exists():
        target.write_text("\n".join(answers) + "\n")


def redis(out):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/socket"
        settings = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder]
        server = subprocess.Popen(["redis-server", *settings], stdout=subprocess.DEVNULL)
        try:
            while not pathlib.Path(path).exists():
                time.sleep(0.05)
            with socket.socket(socket.AF_UNIX) as link:
                link.connect(path)
                replies = link.makefile("rb")

                def ask(*words):
                    words = [word.encode() for word in words]
                    link.sendall(b"".join([b"*%d\r\n" % len(words)] + [b"$%d\r\n%s\r\n" % (len(it), it) for it in words]))
                    line = replies.readline()
                    return replies.read(int(line[1:]) + 2)[:-2] if line[:1] == b"$" else int(line[1:])

                for name, items in [("empty", 0), ("few", 100), ("many", 20000)]:
                    ask("PFADD", name)
                    for start in range(0, items, 1000):
                        ask("PFADD", name, *[f"visitor:{i}" for i in range(start, min(start + 1000, items))])
                    stale, answer = ask("GET", name), ask("PFCOUNT", name)
                    out.put(f"redis-{name}.hyll", stale, float(answer))
        finally:
            server.terminate()


if __name__ == "__main__":
    library, folder = sys.argv[1:]
    if library == "cpp":
        import datasketches

        for write in (cpp_theta, cpp_hll, cpp_kll):
            write(datasketches, Folder(folder))
    elif library == "spark":
        spark(Folder(folder))
    elif library == "redis":
        redis(Folder(folder))
    else:
        java(Folder(folder))
