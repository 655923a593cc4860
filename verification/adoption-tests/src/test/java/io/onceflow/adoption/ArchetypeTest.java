package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archetype's page, followed in an empty folder: the project that it makes passes its tests.
 */
@Timeout(900)
class ArchetypeTest {

  private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path PAGE = CHECKOUT.resolve("docs/guide/archetype.md");

  /** More participants for the project, which query by Panache, and their races. */
  private static final Path LIBRARY = Path.of("src/test/resources/library");

  /** What the project's application has, which the page on compatible versions counts. */
  private static final Path LIBRARIES = Path.of("src/test/resources/libraries.txt");

  private static final String LIST =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:list -DincludeScope=runtime"
          + " -DoutputFile=target/libraries.txt";

  @TempDir private Path empty;
  @TempDir private Path repository;

  @Test
  void makesAProjectThatCompiles() throws IOException, InterruptedException {
    Path project =
        makeAndFollow(List.of(new Guide.Step.Run("cd trips && mvn test-compile " + LIST)));

    assertThat(project.resolve("target/test-classes/com/example/LibraryRacesTest.class")).exists();
    assertThat(project.resolve("mvnw")).isExecutable();
    for (String file : List.of("mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties")) {
      assertThat(project.resolve(file)).hasSameTextualContentAs(CHECKOUT.resolve(file));
    }
    assertThat(Files.readString(project.resolve("pom.xml")))
        .contains("<quarkus.version>3.")
        .contains("<version>${onceflow.version}</version>")
        .doesNotContain("@");
    assertThat(libraries(project)).containsExactlyElementsOf(Files.readAllLines(LIBRARIES));
    assertThat(CHECKOUT.resolve("docs/reference/compatibility.md"))
        .content()
        .contains("has %s libraries".formatted(libraries(project).size()));
  }

  /** Without their versions, which the platform chooses, and without machine code. */
  private static List<String> libraries(Path project) throws IOException {
    try (Stream<String> lines = Files.lines(project.resolve("target/libraries.txt"))) {
      return lines
          .map(String::strip)
          .filter(line -> line.contains(":jar:") && !line.contains(":native-"))
          .map(line -> line.replaceFirst("^([^:]+:[^:]+):.*", "$1"))
          .sorted()
          .toList();
    }
  }

  /** Of the night: what it runs, the tests of the extension and of the race kit run as well. */
  @Test
  @Tag("nightly")
  void makesAProjectThatPassesItsTestsAtOnce() throws IOException, InterruptedException {
    List<Guide.Step> steps = Guide.read(PAGE).steps();
    Path project = makeAndFollow(steps.subList(1, steps.size()));

    assertThat(project.resolve("target/surefire-reports/com.example.LibraryRacesTest.txt"))
        .exists();
  }

  /** The page's first step makes the project. */
  private Path makeAndFollow(List<Guide.Step> more) throws IOException, InterruptedException {
    Path project = empty.resolve("trips");
    Artifacts.install(CHECKOUT, repository);
    // Without a database: the project's tests bring their own.
    try (Folder folder = new Folder(empty, repository, Map.of())) {
      folder.follow(new Guide(Guide.read(PAGE).steps().subList(0, 1)));
      copy(LIBRARY, project);
      folder.follow(new Guide(more));
    }
    return project;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
