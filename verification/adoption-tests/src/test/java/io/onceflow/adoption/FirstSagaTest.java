package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial, followed to the letter by someone who has an empty folder and the artifacts. */
@Timeout(900)
@Tag("nightly")
class FirstSagaTest {

  private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path PAGE = CHECKOUT.resolve("docs/guide/first-saga.md");

  /** Definition, records, entity, resource and one participant with its compensation. */
  private static final int MOST_LINES = 150;

  @Test
  void runsFromAnEmptyFolder(@TempDir Path empty, @TempDir Path repository)
      throws IOException, InterruptedException {
    assertThat(empty).isEmptyDirectory();
    Artifacts.install(CHECKOUT, repository);
    try (Folder folder = new Folder(empty, repository, devServices())) {
      folder.follow(Guide.read(PAGE));
    }
  }

  /** No server is named; Dev Services use containers only where this project's tests do. */
  private static Map<String, String> devServices() {
    return TestServers.useContainers()
        ? Map.of()
        : Map.of("ONCEFLOW_DEVSERVICES_CONTAINERS", "false");
  }

  @Test
  void takesAtMostSoManyLines() throws IOException {
    assertThat(Guide.read(PAGE).linesOfJava()).isLessThanOrEqualTo(MOST_LINES);
  }
}
