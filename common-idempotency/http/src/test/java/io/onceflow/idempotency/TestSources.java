package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of all tests of this checkout. */
final class TestSources {

  private static final Path ROOT = Path.of("../..");
  private static final Pattern SUPER_CLASS = Pattern.compile("class \\w+\\s+extends (\\w+)");

  private TestSources() {}

  /** Whether a class of that name, or one that it extends, has such a test method. */
  static boolean declares(String className, String method) throws IOException {
    for (Path file : files(className)) {
      String source = Files.readString(file, UTF_8);
      Matcher extended = SUPER_CLASS.matcher(source);
      if (source.contains("\n  void " + method + "(")
          || source.contains("\n  public void " + method + "(")
          || extended.find() && declares(extended.group(1), method)) {
        return true;
      }
    }
    return false;
  }

  private static List<Path> files(String className) {
    try (Stream<Path> modules = Files.find(ROOT, 3, (path, is) -> is.isDirectory())) {
      return modules
          .flatMap(module -> Stream.of("src/test/java", "src/main/java").map(module::resolve))
          .filter(Files::isDirectory)
          .flatMap(TestSources::walk)
          .filter(file -> file.endsWith(className + ".java"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> walk(Path folder) {
    try {
      return Files.walk(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
