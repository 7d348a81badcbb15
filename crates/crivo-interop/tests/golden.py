"""Writes the golden files: sketches made by Apache DataSketches itself.

    python golden.py cpp  FOLDER    with the package datasketches (C++)
    python golden.py java FOLDER    with the package pyspark, which contains the Java classes
    python golden.py spark FOLDER   with the package pyspark
    python golden.py redis FOLDER   with redis-server
    python golden.py postgres FOLDER  with PostgreSQL and its extension hll

Every file is written once and never again: an existing file is kept. expected.txt has a line for each file, with the estimate of the
library that wrote it, or for quantiles the number of values. answers-cpp.txt and answers-java.txt have what they answer for some items.
"""

import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import postgres_server


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
        ("ints", ds.kll_ints_sketch, lambda count: [(i - 1000) * 3 for i in range(count)]),
        ("texts", ds.kll_items_sketch, texts),
    ]:
        for size, count in [("empty", 0), ("one", 1), ("few", 10), ("many", 3000)]:
            sketch = filled(make(20), items(count))
            serde = [ds.PyStringsSerDe()] if name == "texts" else []
            out.put(f"cpp-{name}-{size}.kll", sketch.serialize(*serde), sketch.n)


def cpp_req(ds, out):
    """answers-req.txt has the ranks of some values, as a share of all."""
    answers = Answers(out, "answers-req.txt")
    for values, make, value in [("floats", ds.req_floats_sketch, float), ("ints", ds.req_ints_sketch, int)]:
        for end in ("high", "low"):
            for size, count in [("empty", 0), ("one", 1), ("raw", 4), ("few", 5), ("many", 3000)]:
                name = f"cpp-{values}-{end}-{size}.req"
                sketch = filled(make(12, end == "high"), [value(i * 7919 % count) for i in range(count)])
                out.put(name, sketch.serialize(), sketch.n)
                for item in range(-1, count + 1, 1 + count // 200):
                    if count > 0:
                        answers.lines.append(f"{name} {item} {sketch.get_rank(value(item), True)!r}")
    answers.close()


def zipf(count):
    """Items of which the first are frequent: the i-th comes with weight 1 + 1000 / (i + 1), in three rounds."""
    return [(i, 1 + 1000 // (i + 1)) for _ in range(3) for i in range(count)]


class Answers:
    """Lines of answers about single items, which are written once."""

    def __init__(self, out, name):
        self.target, self.lines = out.path / name, []

    def frequency(self, name, kind, item, sketch, key):
        bounds = "/".join(str(int(it)) for it in (sketch.get_estimate(key), sketch.get_lower_bound(key), sketch.get_upper_bound(key)))
        self.lines.append(f"{name} {kind} {item} {bounds}" if kind == "number" else f"{name} {kind} {bounds} {item}")

    def close(self):
        if not self.target.exists():
            self.target.write_text("\n".join(self.lines) + "\n")


def cpp_frequent(ds, out, answers):
    for size, lg, count in [("empty", 5, 0), ("few", 5, 10), ("many", 4, 200)]:
        texts, longs = ds.frequent_strings_sketch(lg), ds.frequent_items_sketch(lg)
        for i, weight in zipf(count):
            texts.update(f"page {i}", weight)
            longs.update(i - 3, weight)
        out.put(f"cpp-texts-{size}.frequent", texts.serialize(), float(texts.total_weight))
        out.put(f"cpp-longs-{size}.frequent", longs.serialize(ds.PyLongsSerDe()), float(longs.total_weight))
        for i in range(count + 5):
            answers.frequency(f"cpp-texts-{size}.frequent", "text", f"page {i}", texts, f"page {i}")
            answers.frequency(f"cpp-longs-{size}.frequent", "number", i - 3, longs, i - 3)


def cpp_tdigest(ds, out):
    for values, make in [("doubles", ds.tdigest_double), ("floats", ds.tdigest_float)]:
        for size, count in [("empty", 0), ("one", 1), ("few", 10), ("many", 5000)]:
            digest = filled(make(20), [float(i * 7919 % count) for i in range(count)])
            out.put(f"cpp-{values}-{size}.tdigest", digest.serialize(), float(digest.get_total_weight()))


def cpp_count_min(ds, out, answers):
    for size, rows, width, count in [("empty", 3, 20, 0), ("few", 2, 20, 10), ("many", 4, 40, 300)]:
        sketch = ds.count_min_sketch(rows, width)
        for i, weight in zipf(count):
            sketch.update(f"page {i}", float(weight))
            sketch.update(i - 3, 0.5)
        out.put(f"cpp-{size}.countmin", sketch.serialize(), float(sketch.total_weight))
        for i in range(count + 5):
            for kind, key in [("text", f"page {i}"), ("number", i - 3)]:
                answer = sketch.get_estimate(key)
                line = f"{kind} {answer!r} {key}" if kind == "text" else f"{kind} {key} {answer!r}"
                answers.lines.append(f"cpp-{size}.countmin {line}")


def java_more(out, kinds):
    """Frequent items, t-digests and Bloom filters."""
    answers = Answers(out, "answers-java.txt")

    class Bounds:
        def __init__(self, sketch):
            self.get_estimate, self.get_lower_bound = sketch.getEstimate, sketch.getLowerBound
            self.get_upper_bound = sketch.getUpperBound

    serde = kinds.common.ArrayOfStringsSerDe()
    for size, most, count in [("empty", 32, 0), ("few", 32, 10), ("many", 16, 200)]:
        texts, longs = kinds.frequencies.ItemsSketch(most), kinds.frequencies.LongsSketch(most)
        for i, weight in zipf(count):
            texts.update(f"page {i}", weight)
            longs.update(i - 3, weight)
        out.put(f"java-texts-{size}.frequent", bytes(texts.toByteArray(serde)), float(texts.getStreamLength()))
        out.put(f"java-longs-{size}.frequent", bytes(longs.toByteArray()), float(longs.getStreamLength()))
        for i in range(count + 5):
            answers.frequency(f"java-texts-{size}.frequent", "text", f"page {i}", Bounds(texts), f"page {i}")
            answers.frequency(f"java-longs-{size}.frequent", "number", i - 3, Bounds(longs), i - 3)
    for size, count in [("empty", 0), ("one", 1), ("few", 10), ("many", 5000)]:
        digest = kinds.tdigest.TDigestDouble(20)
        for i in range(count):
            digest.update(float(i * 7919 % count))
        out.put(f"java-doubles-{size}.tdigest", bytes(digest.toByteArray()), float(digest.getTotalWeight()))
    for size, count in [("empty", 0), ("few", 4), ("many", 60)]:
        bloom = kinds.filters.bloomfilter.BloomFilterBuilder.createBySize(500, 5, 77)
        for i in range(count):
            bloom.update(f"page {i}")
            bloom.update(i - 3)
        if size == "many":
            bloom.getBitsUsed()
        out.put(f"java-{size}.dsbloom", bytes(bloom.toByteArray()), float(bloom.getCapacity()))
        for i in range(count + 60):
            answers.lines.append(f"java-{size}.dsbloom text {int(bloom.query(f'page {i}'))} page {i}")
            answers.lines.append(f"java-{size}.dsbloom number {i - 3} {int(bloom.query(i - 3))}")
    answers.close()


def postgres(out):
    with postgres_server.ask() as ask:
        for name, size, items in [
            ("empty", "11, 5, -1, 1", 0),
            ("hashes", "11, 5, -1, 1", 100),
            ("most-hashes", "11, 5, -1, 1", 160),
            ("sparse", "11, 5, -1, 1", 161),
            ("sparse-first", "11, 5, 0, 1", 400),
            ("full", "11, 5, -1, 1", 5000),
            ("full-few", "6, 5, 0, 0", 3),
            ("few-hashes", "10, 6, 16, 0", 16),
            ("many-hashes", "10, 6, 16, 0", 17),
            ("small", "7, 5, 0, 1", 200_000),
            ("narrow", "8, 3, 0, 1", 3000),
        ]:
            items = f"SELECT hll_hash_bigint(i) AS h FROM generate_series(1, {items}) AS i"
            sketch = f"SELECT coalesce(hll_add_agg(h, {size}), hll_empty({size})) AS s FROM ({items}) AS i"
            content, answer = ask(f"SELECT substr(s::text, 3), hll_cardinality(s) FROM ({sketch}) AS s").split("|")
            out.put(f"postgres-{name}.pghll", bytes.fromhex(content), float(answer))
        texts = "SELECT hll_add_agg(hll_hash_text('visitor ' || i)) AS s FROM generate_series(1, 2000) AS i"
        content, answer = ask(f"SELECT substr(s::text, 3), hll_cardinality(s) FROM ({texts}) AS s").split("|")
        out.put("postgres-texts.pghll", bytes.fromhex(content), float(answer))


def java(out):
    from pyspark.java_gateway import launch_gateway

    kinds = launch_gateway().jvm.org.apache.datasketches
    java_more(out, kinds)
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

        out = Folder(folder)
        for write in (cpp_theta, cpp_hll, cpp_kll, cpp_req, cpp_tdigest):
            write(datasketches, out)
        answers = Answers(out, "answers-cpp.txt")
        for write in (cpp_frequent, cpp_count_min):
            write(datasketches, out, answers)
        answers.close()
    elif library == "spark":
        spark(Folder(folder))
    elif library == "redis":
        redis(Folder(folder))
    elif library == "postgres":
        postgres(Folder(folder))
    else:
        java(Folder(folder))
