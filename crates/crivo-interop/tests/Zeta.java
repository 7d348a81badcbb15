import com.google.zetasketch.HyperLogLogPlusPlus;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the golden files of ZetaSketch, whose HyperLogLog++ BigQuery uses, and prints their lines of expected.txt.
 *
 * java -cp CLASSES Zeta.java FOLDER, where CLASSES are those of ZetaSketch and of the libraries that it needs.
 */
public class Zeta {
    static Path folder;

    static HyperLogLogPlusPlus.Builder size(int precision, int sparsePrecision) {
        return new HyperLogLogPlusPlus.Builder().normalPrecision(precision).sparsePrecision(sparsePrecision);
    }

    static HyperLogLogPlusPlus<Long> longs(HyperLogLogPlusPlus.Builder builder, long from, long to) {
        HyperLogLogPlusPlus<Long> sketch = builder.buildForLongs();
        for (long item = from; item < to; item++) {
            sketch.add(item);
        }
        return sketch;
    }

    static void put(String name, HyperLogLogPlusPlus<?> sketch) throws Exception {
        String file = "zeta-" + name + ".hllpp";
        Files.write(folder.resolve(file), sketch.serializeToByteArray());
        System.out.println(file + " " + sketch.longResult());
    }

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[0]);
        put("empty", longs(size(15, 20), 0, 0));
        put("few", longs(size(15, 20), 0, 100));
        put("sparse", longs(size(11, 20), 0, 500));
        // Half of the entries have zeros behind the index of their register.
        put("close", longs(size(10, 11), 0, 150));
        put("dense", longs(size(10, 15), 0, 20000));
        put("dense-empty", longs(size(10, 15).noSparseMode(), 0, 0));
        HyperLogLogPlusPlus<String> texts = size(12, 25).buildForStrings();
        for (int item = 0; item < 200; item++) {
            texts.add("visitor " + item);
        }
        put("texts", texts);
        HyperLogLogPlusPlus<Long> merged = longs(size(10, 15), 0, 60);
        merged.merge(longs(size(10, 15), 40, 100));
        put("merged-sparse", merged);
        merged.merge(longs(size(10, 15), 50, 3000));
        put("merged", merged);
    }
}
