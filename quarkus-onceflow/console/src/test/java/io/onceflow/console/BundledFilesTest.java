package io.onceflow.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The files that the build made of the sources. */
class BundledFilesTest {

  private static final long MOST_FOR_THE_FIRST_SCREEN = 150_000;

  private static final Pattern ASSET = Pattern.compile("\"/console/assets/([^\"]+)\"");

  /** What a script fetches before it runs; import(…) is fetched later. */
  private static final Pattern STATIC_IMPORT =
      Pattern.compile("(?:from|import)\\s*\"\\./([^\"]+\\.js)\"");

  private static final Pattern HOST = Pattern.compile("https?://[\\w.-]+");

  /** A name in XML, which nobody fetches. */
  private static final String XML_NAME = "http://www.w3.org";

  private final Path files = files();

  @Test
  void indexNamesFilesThatAreThere() throws IOException {
    List<String> assets = found(ASSET, index());

    assertThat(assets)
        .anyMatch(name -> name.matches("main-[A-Z0-9]{8}\\.js"))
        .anyMatch(name -> name.matches("main-[A-Z0-9]{8}\\.css"))
        .anyMatch(name -> name.matches("icon-[A-Z0-9]{8}\\.svg"))
        .allSatisfy(name -> assertThat(files.resolve("assets/" + name)).isRegularFile());
  }

  @Test
  void indexLoadsAtOnceWhatTheFirstScriptImports() throws IOException {
    String main = named("main", ".js");

    assertThat(found(ASSET, index())).containsAll(found(STATIC_IMPORT, text(main)));
  }

  @Test
  void indexHasNoScriptOrStyleOfItsOwn() throws IOException {
    assertThat(index())
        .doesNotContainPattern("<script[^>]*>[^<]")
        .doesNotContain("<style", " style=", "javascript:")
        .doesNotContainPattern("\\son\\w+=");
  }

  @Test
  void scriptsNeedNoExceptionFromThePolicy() throws IOException {
    for (Path script : assets(".js")) {
      assertThat(Files.readString(script))
          .as(script.getFileName().toString())
          .doesNotContainPattern("\\beval\\(")
          .doesNotContain("new Function", " style=", "<style");
    }
  }

  @Test
  void nothingIsFetchedFromElsewhere() throws IOException {
    for (String ending : List.of(".js", ".css", ".svg")) {
      for (Path asset : assets(ending)) {
        assertThat(found(HOST, Files.readString(asset)))
            .as(asset.getFileName().toString())
            .allMatch(XML_NAME::equals);
      }
    }
  }

  @Test
  void firstScreenIsSmall() throws IOException {
    Set<String> scripts = withImports(named("main", ".js"), named("overview", ".js"));

    long size = Files.size(files.resolve("index.html.gz"));
    size += Files.size(files.resolve("assets/" + named("main", ".css") + ".gz"));
    for (String script : scripts) {
      size += Files.size(files.resolve("assets/" + script + ".gz"));
    }

    assertThat(size).isBetween(10_000L, MOST_FOR_THE_FIRST_SCREEN);
  }

  @Test
  void eachFileIsThereCompressedToo() throws IOException {
    try (Stream<Path> all = Files.walk(files)) {
      List<Path> plain =
          all.filter(Files::isRegularFile).filter(f -> !f.toString().endsWith(".gz")).toList();
      assertThat(plain).hasSizeGreaterThan(10);
      for (Path file : plain) {
        assertThat(unpacked(file.resolveSibling(file.getFileName() + ".gz")))
            .isEqualTo(Files.readAllBytes(file));
      }
    }
  }

  @Test
  void theLicenceOfLitComesWithIt() throws IOException {
    URL licence = BundledFilesTest.class.getResource("/META-INF/licenses/lit.txt");

    try (InputStream in = Objects.requireNonNull(licence).openStream()) {
      assertThat(new String(in.readAllBytes(), UTF_8)).contains("BSD 3-Clause");
    }
  }

  private Set<String> withImports(String... scripts) throws IOException {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(scripts));
    while (!open.isEmpty()) {
      String script = open.pop();
      if (found.add(script)) {
        found(STATIC_IMPORT, text(script)).forEach(open::push);
      }
    }
    return found;
  }

  private String named(String name, String ending) throws IOException {
    List<Path> assets = assets(ending);
    assets.removeIf(asset -> !asset.getFileName().toString().startsWith(name + "-"));
    assertThat(assets).as(name + ending).hasSize(1);
    return assets.getFirst().getFileName().toString();
  }

  private List<Path> assets(String ending) throws IOException {
    try (Stream<Path> assets = Files.list(files.resolve("assets"))) {
      return new ArrayList<>(assets.filter(a -> a.toString().endsWith(ending)).toList());
    }
  }

  private String index() throws IOException {
    return Files.readString(files.resolve("index.html"));
  }

  private String text(String asset) throws IOException {
    return Files.readString(files.resolve("assets/" + asset));
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(BundledFilesTest::lastGroup).toList();
  }

  private static String lastGroup(MatchResult result) {
    return result.group(result.groupCount());
  }

  private static byte[] unpacked(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  private static Path files() {
    try {
      URL index = BundledFilesTest.class.getResource("/META-INF/onceflow-console/index.html");
      return Path.of(Objects.requireNonNull(index).toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
