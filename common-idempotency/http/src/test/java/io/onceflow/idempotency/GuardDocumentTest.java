package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.execution.GuardMetrics;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages on the guard tell what is there; all pages name only tests that are there. */
class GuardDocumentTest {

  private static final String NO_DEFAULT = "none";

  private static final Path DOCUMENTS = Path.of("../../docs");
  private static final Path GUIDE = DOCUMENTS.resolve("guide/idempotency.md");
  private static final Path REFERENCE = DOCUMENTS.resolve("reference/idempotency.md");
  private static final Path EDGE_CASES = DOCUMENTS.resolve("internals/idempotency-cases.md");
  private static final Pattern NAME_OF_A_TEST = Pattern.compile("`(\\w+(?:Test|Laws)#\\w+)`");

  @Test
  void tellsEveryConfigurationKeyWithItsDefault() throws IOException {
    Map<String, String> told =
        found(REFERENCE, "\\| `(onceflow\\.[^`{]+)` \\| `([^`]+)` \\|")
            .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
    String prefix = IdempotencyConfig.class.getAnnotation(ConfigMapping.class).prefix() + ".";
    assertThat(told).isEqualTo(defaults(IdempotencyConfig.class, prefix));
  }

  @ParameterizedTest
  @EnumSource(RequestOutcome.class)
  void tellsEveryOutcome(RequestOutcome outcome) throws IOException {
    assertThat(text(REFERENCE)).contains("| `" + outcome.tag() + "` |");
  }

  @Test
  void tellsEveryMeter() throws IOException {
    assertThat(text(REFERENCE))
        .contains(
            "`" + GuardMetrics.REQUESTS, "`" + GuardMetrics.DURATION, "`" + GuardMetrics.WAITING);
  }

  static Set<String> namedTests() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> documents = Files.walk(DOCUMENTS)) {
      for (Path document : documents.filter(file -> file.toString().endsWith(".md")).toList()) {
        NAME_OF_A_TEST
            .matcher(Files.readString(document, UTF_8))
            .results()
            .forEach(name -> names.add(name.group(1)));
      }
    }
    return names;
  }

  @ParameterizedTest
  @MethodSource("namedTests")
  void namesTestsThatAreThere(String name) throws IOException {
    String[] classAndMethod = name.split("#");
    assertThat(TestSources.declares(classAndMethod[0], classAndMethod[1])).isTrue();
  }

  @Test
  void showsEachEdgeCaseByATest() throws IOException {
    assertThat(text(EDGE_CASES).lines().filter(line -> line.startsWith("| ")))
        .filteredOn(line -> !line.startsWith("| case |"))
        .hasSizeGreaterThan(50)
        .allMatch(line -> line.matches(".*`\\w+#\\w+` \\|"));
  }

  static Stream<Path> pages() {
    return Stream.of(GUIDE, REFERENCE, EDGE_CASES);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void leadsOnlyToWhatIsThere(Path page) throws IOException {
    assertThat(found(page, "\\]\\((?!http|#)([^)#]+)[^)]*\\)"))
        .map(link -> page.resolveSibling(link.group(1)))
        .isNotEmpty()
        .allMatch(Files::exists);
  }

  @Test
  void noticesATestThatIsNotThere() throws IOException {
    assertThat(TestSources.declares("GuardDocumentTest", "noticesATestThatIsNotThere")).isTrue();
    assertThat(TestSources.declares("GuardDocumentTest", "noticesNothing")).isFalse();
    assertThat(TestSources.declares("NoSuchTest", "noticesNothing")).isFalse();
  }

  private static Map<String, String> defaults(Class<?> mapping, String prefix) {
    return Stream.of(mapping.getMethods())
        .flatMap(method -> defaults(method, prefix + name(method)).entrySet().stream())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Map<String, String> defaults(Method method, String key) {
    return Optional.ofNullable(method.getAnnotation(WithDefault.class))
        .map(given -> Map.of(key, given.value()))
        .orElseGet(
            () ->
                method.getReturnType() == Optional.class
                    ? Map.of(key, NO_DEFAULT)
                    : defaults(method.getReturnType(), key + "."));
  }

  private static String name(Method method) {
    return Optional.ofNullable(method.getAnnotation(WithName.class))
        .map(WithName::value)
        .orElseGet(() -> kebab(method.getName()));
  }

  private static String kebab(String name) {
    Function<MatchResult, String> dashed = upper -> "-" + upper.group().toLowerCase(Locale.ROOT);
    return Pattern.compile("[A-Z]").matcher(name).replaceAll(dashed);
  }

  private static Stream<MatchResult> found(Path page, String pattern) throws IOException {
    return Pattern.compile(pattern).matcher(text(page)).results();
  }

  private static String text(Path page) throws IOException {
    return Files.readString(page, UTF_8);
  }
}
