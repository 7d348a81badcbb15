import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the golden files of airlift's HyperLogLog, which Trino, Presto and Athena use, and prints their lines of expected.txt.
 *
 * java -cp CLASSES Airlift.java FOLDER, where CLASSES are those of the modules stats and slice of airlift and of Guava.
 */
public class Airlift {
    static Path folder;

    static HyperLogLog numbers(int registers, long from, long to) {
        HyperLogLog sketch = HyperLogLog.newInstance(registers);
        for (long item = from; item < to; item++) {
            sketch.add(item);
        }
        return sketch;
    }

    static void put(String name, byte[] bytes) throws Exception {
        String file = "airlift-" + name + ".airhll";
        Files.write(folder.resolve(file), bytes);
        System.out.println(file + " " + HyperLogLog.newInstance(Slices.wrappedBuffer(bytes)).cardinality());
    }

    static void put(String name, HyperLogLog sketch) throws Exception {
        put(name, sketch.serialize().getBytes());
    }

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[0]);
        put("empty", numbers(4096, 0, 0));
        put("few", numbers(4096, 0, 100));
        put("dense", numbers(512, 0, 20000));
        HyperLogLog forced = numbers(64, 0, 6);
        forced.makeDense();
        put("dense-few", forced);

        HyperLogLog texts = HyperLogLog.newInstance(128);
        for (int item = 0; item < 500; item++) {
            texts.add(Slices.wrappedBuffer(("visitor " + item).getBytes(StandardCharsets.UTF_8)));
        }
        put("texts", texts);

        HyperLogLog merged = numbers(512, 0, 30);
        merged.mergeWith(numbers(512, 20, 60));
        put("merged-few", merged);
        merged.mergeWith(numbers(512, 50, 3000));
        put("merged", merged);

        // Hashes of many zeros, whose ranks are far above all others.
        HyperLogLog far = numbers(16, 0, 100);
        far.addHash(7L << 60 | 1L << 20);
        far.addHash(1L << 60);
        put("overflows", far);
        byte[] bytes = far.serialize().getBytes();
        HyperLogLog fewFar = numbers(512, 0, 3);
        fewFar.addHash(7L << 60 | 1L << 20);
        fewFar.addHash(1L << 60);
        fewFar.addHash(7L << 55);
        put("far-entries", fewFar);

        // The first dense form, which is still read: the same with a single register that overflows, or without one, after 2 bytes of -1.
        byte[] dense = numbers(64, 0, 200).serialize().getBytes();
        byte[] old = java.util.Arrays.copyOf(dense, dense.length + 1);
        old[0] = 1;
        old[dense.length - 2] = -1;
        old[dense.length - 1] = -1;
        put("dense-1", old);
        old[3] |= (byte) 0xf0;
        old[dense.length - 2] = 0;
        old[dense.length - 1] = 0;
        old[dense.length] = 5;
        put("dense-1-overflow", old);
    }
}
