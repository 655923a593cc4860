package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A type's simple name stands for one thing in all modules. */
class SimpleNamesTest {

  private static final Path ROOT = Path.of("../..");
  private static final Path SOURCES = Path.of("src/main/java");

  /**
   * They share the words of their business: an order shows its payment, another service keeps it,
   * and the benchmark has both in one application.
   */
  private static final Set<String> SERVICES =
      Set.of(
          "order-service",
          "payment-service",
          "shipping-service",
          "verification/benchmarks/one-application");

  @Test
  void noTwoModulesHaveTypesOfTheSameSimpleName() throws IOException {
    try (Stream<Path> folders = Files.find(ROOT, 3, (path, is) -> is.isDirectory())) {
      List<Path> types =
          folders
              .map(module -> module.resolve(SOURCES))
              .filter(Files::isDirectory)
              .flatMap(SimpleNamesTest::types)
              .map(ROOT::relativize)
              .toList();

      assertThat(types).as("all modules").hasSizeGreaterThan(500);
      assertThat(inSeveralModules(types)).isEmpty();
    }
  }

  @Test
  void findsANameThatTwoModulesHave() {
    List<Path> types =
        Stream.of(
                "transports/kafka/src/main/java/a/Row.java",
                "quarkus-onceflow/test-kit/src/main/java/b/Row.java",
                "quarkus-onceflow/test-kit/src/main/java/b/package-info.java",
                "transports/kafka/src/main/java/a/package-info.java",
                "order-service/src/main/java/c/Payment.java",
                "payment-service/src/main/java/d/Payment.java")
            .map(Path::of)
            .toList();

    assertThat(inSeveralModules(types))
        .containsExactly(
            Map.entry("Row.java", Set.of("quarkus-onceflow/test-kit", "transports/kafka")));
  }

  private static Map<String, Set<String>> inSeveralModules(List<Path> types) {
    Map<String, Set<String>> modules = new TreeMap<>();
    for (Path type : types) {
      String module = type.toString().replaceFirst("/src/.*", "");
      modules
          .computeIfAbsent(type.getFileName().toString(), name -> new TreeSet<>())
          .add(SERVICES.contains(module) ? "the services" : module);
    }
    modules.remove("package-info.java");
    modules.values().removeIf(names -> names.size() == 1);
    return modules;
  }

  private static Stream<Path> types(Path sources) {
    try {
      return Files.walk(sources).filter(file -> file.toString().endsWith(".java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
