package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What release.yml tells the shell, with a docker that only says what it is told to. */
class ReleaseStepsTest {

  private static final WorkflowSteps RELEASE = WorkflowSteps.of("release.yml");
  private static final String IMAGE = "ghcr.io/some-owner/onceflow-order-service";
  private static final String DIGEST = "sha256:" + "0a".repeat(32);

  @TempDir Path folder;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void asOnGitHub() throws IOException {
    environment.put("PATH", folder + File.pathSeparator + System.getenv("PATH"));
    environment.put("GITHUB_REF_NAME", "v" + version());
    environment.put("GITHUB_REPOSITORY_OWNER", "Some-Owner");
    environment.put("GITHUB_SHA", "0".repeat(40));
    environment.put("IMAGE", IMAGE);
    environment.put("GITHUB_ENV", folder.resolve("env").toString());
    environment.put("GITHUB_OUTPUT", folder.resolve("output").toString());
    dockerTells(IMAGE + "@" + DIGEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"release.yml", "ci.yml", "vulnerabilities.yml"})
  void theShellUnderstandsEveryStep(String workflow) throws Exception {
    for (String script : WorkflowSteps.of(workflow).scripts()) {
      assertThat(ends(script.replaceAll("\\$\\{\\{[^}]*}}", "value"), "-n")).as(script).isTrue();
    }
  }

  @Test
  void aTagThatIsNotTheVersionIsNoRelease() throws Exception {
    assertThat(step("The tag is the version")).isTrue();

    environment.put("GITHUB_REF_NAME", "v99.0.0");
    assertThat(step("The tag is the version")).isFalse();
  }

  @Test
  void anOwnerWithCapitalsGetsImagesWithout() throws Exception {
    assertThat(step("What the image is called")).isTrue();

    assertThat(folder.resolve("env")).hasContent("IMAGE=" + IMAGE);
  }

  @Test
  void whatWasPushedIsWhatIsSigned() throws Exception {
    dockerTells("docker.io/another/repository@sha256:1", IMAGE + "@" + DIGEST);

    assertThat(step("Build and push")).isTrue();

    assertThat(folder.resolve("output")).hasContent("digest=" + DIGEST);
    assertThat(Files.readString(folder.resolve("calls")))
        .contains(
            "build --file Dockerfile.pinned --target service --tag " + IMAGE + ":" + version())
        .contains("--build-arg SERVICE=order-service --build-arg HTTP_PORT=8080")
        .contains("push " + IMAGE + ":" + version());
  }

  @Test
  void aReleaseWithoutADigestEndsBeforeItIsSigned() throws Exception {
    dockerTells();

    assertThat(step("Build and push")).isFalse();
  }

  private boolean step(String name) throws Exception {
    return ends(
        RELEASE
            .script(name)
            .replace("${{ matrix.target }}", "service")
            .replace("${{ matrix.image }}", "order-service")
            .replace("${{ matrix.http }}", "8080")
            .replace("${{ matrix.management }}", "9000"));
  }

  private boolean ends(String script, String... options) throws Exception {
    return WorkflowSteps.run(script, List.of(options), environment, folder.resolve("log"));
  }

  /** A docker that writes down how it is called, and tells these digests of every image. */
  private void dockerTells(String... digests) throws IOException {
    Path docker = folder.resolve("docker");
    Files.write(folder.resolve("digests"), List.of(digests));
    Files.writeString(
        docker,
        """
        #!/bin/sh
        echo "$*" >> '%1$s/calls'
        if [ "$1 $2" = 'image inspect' ]; then cat '%1$s/digests'; fi
        """
            .formatted(folder));
    assertThat(docker.toFile().setExecutable(true)).isTrue();
  }

  private static String version() throws IOException {
    return Files.readString(Overlay.root().resolve("pom.xml"))
        .lines()
        .filter(line -> line.contains("<version>"))
        .findFirst()
        .orElseThrow()
        .replaceAll(" *</?version> *", "");
  }
}
