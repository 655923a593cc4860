package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What runs with our rights on GitHub, and what a release is made of. */
class WorkflowsTest {

  private static final Path ROOT = Overlay.root();

  /** A tag can be moved to other code; a commit cannot. The version is for people. */
  private static final Pattern BY_COMMIT =
      Pattern.compile("[\\w-]+/[\\w.-]+@[0-9a-f]{40}  # v\\d+\\.\\d+\\.\\d+");

  private static final Pattern USES = Pattern.compile("(?m)^\\s*(?:- )?uses: (.+)$");

  @Test
  void everyActionIsNamedByItsCommitAndSaysItsVersion() throws IOException {
    assertThat(workflows().flatMap(WorkflowsTest::actions).toList())
        .isNotEmpty()
        .allMatch(action -> BY_COMMIT.matcher(action).matches());
  }

  @Test
  void noWorkflowMayDoMoreThanReadByDefault() throws IOException {
    assertThat(workflows().map(WorkflowsTest::text))
        .allMatch(text -> text.contains("\npermissions:\n  contents: read\n"));
  }

  @Test
  void aReleaseRecordsItsBaseImagesSignsAndAttests() throws IOException {
    String release = text(ROOT.resolve(".github/workflows/release.yml"));
    assertThat(release)
        .contains(
            ".ci/pin-base-images > Dockerfile.pinned",
            "--file Dockerfile.pinned",
            "cosign sign --yes",
            "cosign attest --yes --type cyclonedx",
            "actions/attest-build-provenance@");
  }

  /** A job that it does not need could fail without an issue. */
  @Test
  void aFailureOfAnyNightlyJobOpensAnIssue() {
    String nightly = text(ROOT.resolve(".github/workflows/nightly.yml"));
    List<String> jobs =
        new ArrayList<>(found(nightly.substring(nightly.indexOf("\njobs:")), "(?m)^  ([\\w-]+):$"));
    assertThat(jobs.remove("failure")).isTrue();
    assertThat(found(nightly, "(?m)^    needs: \\[(.+)]$"))
        .containsExactly(String.join(", ", jobs));
  }

  /** The script finds base images by their tags; one without a tag would not be pinned. */
  @Test
  void everyBaseImageHasATag() {
    String dockerfile = text(ROOT.resolve("Dockerfile"));
    List<String> stages = found(dockerfile, "(?m)^FROM \\S+ AS (\\S+)$");
    assertThat(found(dockerfile, "(?m)^FROM (\\S+) AS \\S+$"))
        .hasSameSizeAs(stages)
        .allMatch(base -> stages.contains(base) || base.matches("[^@:]+:[^@:]+"));
  }

  private static Stream<String> actions(Path workflow) {
    return found(text(workflow), USES.pattern()).stream();
  }

  private static List<String> found(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(it -> it.group(1)).toList();
  }

  private static Stream<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
      return files.toList().stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
