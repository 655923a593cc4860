package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A step is added to the tutorial's saga: small, and nothing that ran before is broken. */
@Timeout(900)
class AddingAStepTest {

  private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path FIRST = CHECKOUT.resolve("docs/guide/first-saga.md");
  private static final Path PAGE = CHECKOUT.resolve("docs/guide/adding-a-step.md");

  private static final int MOST_FILES = 5;
  private static final int MOST_LINES = 80;

  /** At night: FirstSagaTest builds the project that this goes on from. */
  @Test
  @Tag("nightly")
  void goesOnFromTheTutorialsProject(@TempDir Path folder, @TempDir Path repository)
      throws IOException, InterruptedException {
    Artifacts.install(CHECKOUT, repository);
    try (Folder project = new Folder(folder, repository, Folder.database())) {
      project.follow(Guide.read(FIRST).onlyFiles());
      project.follow(Guide.read(PAGE));
    }
  }

  @Test
  void takesAFewFilesAndLines() throws IOException {
    Guide page = Guide.read(PAGE);

    assertThat(page.filesOutsideOfTests()).isBetween(1L, (long) MOST_FILES);
    assertThat(page.linesOutsideOfTests()).isBetween(1L, (long) MOST_LINES);
  }
}
