import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Makes the console's files of its TypeScript, at build time and without Node: the libraries and
 * the bundler, esbuild, are jars of mvnpm on the class path. Run as a source file by Maven:
 *
 * <pre>java -classpath … Bundle.java src/main/web target</pre>
 *
 * <p>Does nothing where neither a source nor a jar has changed since the last time.
 */
final class Bundle {

  /**
   * Where mvnpm puts the files of an npm package: below a part of its name, and its version. The
   * shortest such is the root's.
   */
  private static final Pattern DESCRIPTION =
      Pattern.compile("META-INF/resources/_static/.+/package\\.json");

  private static final Pattern PACKAGE_NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]+)\"");

  private static final Pattern STATIC_IMPORT =
      Pattern.compile("from\"\\./(chunk-\\w+\\.js)\"|import\"\\./(chunk-\\w+\\.js)\"");

  private final Path sources;
  private final Path target;
  private final Path modules;
  private final Path output;

  private Bundle(Path sources, Path target) {
    this.sources = sources;
    this.target = target;
    this.modules = target.resolve("web/node_modules");
    this.output = target.resolve("classes/META-INF/onceflow-console");
  }

  public static void main(String... args) throws Exception {
    new Bundle(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath()).make();
  }

  private void make() throws Exception {
    List<Path> jars = jars();
    Path stamp = target.resolve("web/made-of");
    String now = fingerprint(jars);
    if (Files.exists(stamp) && Files.exists(output) && Files.readString(stamp).equals(now)) {
      return;
    }
    delete(output);
    delete(target.resolve("web"));
    for (Path jar : jars) {
      unpack(jar);
    }
    copySources();
    esbuild();
    writeIndex();
    keepLicence();
    compress();
    Files.writeString(stamp, now);
  }

  private static List<Path> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.endsWith(".jar"))
        .map(Path::of)
        .sorted()
        .toList();
  }

  /** Of the sources' contents and the names of the jars, which have their versions in them. */
  private String fingerprint(List<Path> jars) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(Files.readAllBytes(sources.resolveSibling("../bundle/Bundle.java").normalize()));
    for (Path jar : jars) {
      digest.update(jar.getFileName().toString().getBytes(UTF_8));
    }
    for (Path file : filesIn(sources)) {
      digest.update(sources.relativize(file).toString().getBytes(UTF_8));
      digest.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Puts an npm package where esbuild looks for it. A jar with types alone has none, and nothing
   * for us.
   */
  private void unpack(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Optional<? extends ZipEntry> description =
          zip.stream()
              .filter(e -> DESCRIPTION.matcher(e.getName()).matches())
              .min(comparing(e -> e.getName().length()));
      if (description.isEmpty()) {
        return;
      }
      String root = description.get().getName().replace("package.json", "");
      Path folder = modules.resolve(packageName(zip, description.get()));
      for (ZipEntry entry :
          zip.stream().filter(e -> !e.isDirectory() && e.getName().startsWith(root)).toList()) {
        Path file = folder.resolve(entry.getName().substring(root.length())).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException(jar + " has an entry that leads out of it: " + entry.getName());
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
  }

  private static String packageName(ZipFile zip, ZipEntry description) throws IOException {
    try (InputStream in = zip.getInputStream(description)) {
      Matcher name = PACKAGE_NAME.matcher(new String(in.readAllBytes(), UTF_8));
      if (!name.find()) {
        throw new IOException(zip.getName() + " has a package without a name");
      }
      return name.group(1);
    }
  }

  /** Beside the packages, since esbuild looks for them in the folders above a source. */
  private void copySources() throws IOException {
    for (Path file : filesIn(sources)) {
      Path copy = target.resolve("web/src").resolve(sources.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  private void esbuild() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(executable().toString()));
    command.addAll(
        List.of(
            "main.ts", "icon.svg", "--bundle", "--splitting", "--format=esm", "--target=es2022"));
    command.addAll(
        List.of("--minify", "--legal-comments=linked", "--log-level=warning", "--charset=utf8"));
    command.addAll(
        List.of(
            "--loader:.svg=copy",
            "--entry-names=[name]-[hash]",
            "--outdir=" + output.resolve("assets")));
    Process process =
        new ProcessBuilder(command)
            .directory(target.resolve("web/src").toFile())
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("esbuild ended with " + process.exitValue());
    }
  }

  private Path executable() throws IOException {
    for (Path file : filesIn(modules)) {
      String name = file.getFileName().toString();
      if (name.equals("esbuild") || name.equals("esbuild.exe")) {
        if (!file.toFile().setExecutable(true)) {
          throw new IOException("Cannot be made executable: " + file);
        }
        return file;
      }
    }
    throw new IOException(
        "No esbuild on the class path for this kind of machine; see the profiles of quarkus-onceflow/console/pom.xml");
  }

  /**
   * Puts the hashed names into index.html, and has the browser load at once what the first script
   * imports.
   */
  private void writeIndex() throws IOException {
    String index = Files.readString(sources.resolve("index.html"));
    for (Path asset : filesIn(output.resolve("assets"))) {
      String name = asset.getFileName().toString();
      String plain = name.replaceFirst("-[A-Z0-9]{8}\\.", ".");
      index = index.replace("\"" + plain + "\"", "\"/console/assets/" + name + "\"");
      if (plain.equals("main.js")) {
        index = index.replace("  </head>", preloads(asset) + "  </head>");
      }
    }
    Files.writeString(output.resolve("index.html"), index);
  }

  private static String preloads(Path main) throws IOException {
    StringBuilder links = new StringBuilder();
    Matcher matcher = STATIC_IMPORT.matcher(Files.readString(main));
    while (matcher.find()) {
      String chunk = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      links
          .append("    <link rel=\"modulepreload\" href=\"/console/assets/")
          .append(chunk)
          .append("\">\n");
    }
    return links.toString();
  }

  /**
   * That of Lit, which asks for it; the licence of all that is its own comes with every jar of the
   * project.
   */
  private void keepLicence() throws IOException {
    Path licences = Files.createDirectories(target.resolve("classes/META-INF/licenses"));
    Files.copy(
        modules.resolve("lit/LICENSE"),
        licences.resolve("lit.txt"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Each file once more as .gz, so that the service compresses nothing. */
  private void compress() throws IOException {
    for (Path file : filesIn(output)) {
      Path compressed = file.resolveSibling(file.getFileName() + ".gz");
      try (GZIPOutputStream out = new BestGzip(compressed)) {
        Files.copy(file, out);
      }
    }
  }

  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(Path file) throws IOException {
      super(Files.newOutputStream(file));
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(Bundle::deleteOne);
      }
    }
  }

  private static void deleteOne(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
