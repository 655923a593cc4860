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

/** What release.yml tells the shell, with a docker and a gh that only say what they are told to. */
class ReleaseStepsTest {

  private static final WorkflowSteps RELEASE = WorkflowSteps.of("release.yml");
  private static final String IMAGE = "ghcr.io/some-owner/onceflow-sample-order-service";
  private static final String DIGEST = "sha256:" + "0a".repeat(32);
  private static final String RELEASED = "96.97.98";

  @TempDir Path folder;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void asOnGitHub() throws IOException {
    environment.put("PATH", folder + File.pathSeparator + System.getenv("PATH"));
    environment.put("GITHUB_REF_NAME", "v" + RELEASED);
    environment.put("GITHUB_REPOSITORY_OWNER", "Some-Owner");
    environment.put("GITHUB_SHA", "0".repeat(40));
    environment.put("IMAGE", IMAGE);
    environment.put("GITHUB_ENV", folder.resolve("env").toString());
    environment.put("GITHUB_OUTPUT", folder.resolve("output").toString());
    says("docker");
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
    versionIs(RELEASED);
    assertThat(step("The tag is the version")).isTrue();

    environment.put("GITHUB_REF_NAME", "v96.97.9");
    assertThat(step("The tag is the version")).isFalse();

    environment.put("GITHUB_REF_NAME", "v1.2.3");
    assertThat(step("The tag is the version")).as("a version of a plugin").isFalse();
  }

  @Test
  void aSnapshotIsNoRelease() throws Exception {
    versionIs(RELEASED + "-SNAPSHOT");
    environment.put("GITHUB_REF_NAME", "v" + RELEASED + "-SNAPSHOT");

    assertThat(step("The tag is the version")).isFalse();
  }

  private void versionIs(String version) throws IOException {
    String pom = Files.readString(Overlay.root().resolve("pom.xml"));
    Files.writeString(
        folder.resolve("pom.xml"),
        pom.replaceFirst("<version>[^<]+", "<version>" + version)
            .replaceFirst("<version>3[^<]+", "<version>1.2.3"));
  }

  @Test
  void aCommitThatCiHasNotPassedIsNotReleased() throws Exception {
    says("gh", "success");
    assertThat(step("CI has passed on this commit")).isTrue();
    assertThat(calls()).contains("run list --workflow ci.yml --commit " + "0".repeat(40));

    says("gh", "failure");
    assertThat(step("CI has passed on this commit")).isFalse();

    says("gh");
    assertThat(step("CI has passed on this commit")).as("CI has not run").isFalse();
  }

  @Test
  void theNotesAreTheSectionOfTheVersion() throws Exception {
    Files.writeString(
        folder.resolve("CHANGELOG.md"),
        """
        # Changelog

        ## Unreleased

        - Later.

        ## 96.97.98 (2026-11-28)

        ### Added

        - Now.

        ## 96.97.9 (2026-10-28)

        - Before.
        """);
    assertThat(step("The notes are the changelog's")).isTrue();
    assertThat(Files.readString(folder.resolve("notes.md")).strip())
        .isEqualTo("### Added\n\n- Now.");

    environment.put("GITHUB_REF_NAME", "v96.97.0");
    assertThat(step("The notes are the changelog's")).as("there are none").isFalse();
  }

  @Test
  void anOwnerWithCapitalsGetsImagesWithout() throws Exception {
    assertThat(step("What the image is called")).isTrue();

    assertThat(folder.resolve("env")).hasContent("IMAGE=" + IMAGE);
  }

  @Test
  void eachProcessorHasAnImage() throws Exception {
    assertThat(step("Build and push")).isTrue();

    String tag = IMAGE + ":" + RELEASED + "-arm64";
    assertThat(calls())
        .contains("build --file Dockerfile.pinned --target service --tag " + tag)
        .contains("--build-arg SERVICE=order-service --build-arg HTTP_PORT=8080")
        .contains("push " + tag);
  }

  @Test
  void whatIsPublishedIsWhatIsSigned() throws Exception {
    says("docker", "digest=" + DIGEST);

    assertThat(step("Publish")).isTrue();

    assertThat(folder.resolve("output")).hasContent("digest=" + DIGEST);
    String tag = IMAGE + ":" + RELEASED;
    assertThat(calls())
        .contains("imagetools create --tag %1$s %1$s-amd64 %1$s-arm64".formatted(tag));
  }

  @Test
  void anImageWithoutADigestIsNotSigned() throws Exception {
    assertThat(step("Publish")).isFalse();
  }

  private boolean step(String name) throws Exception {
    return ends(
        RELEASE
            .script(name)
            .replace("${{ matrix.image }}", "sample-order-service")
            .replace("${{ matrix.image.name }}", "sample-order-service")
            .replace("${{ matrix.image.target }}", "service")
            .replace("${{ matrix.image.service }}", "order-service")
            .replace("${{ matrix.image.http }}", "8080")
            .replace("${{ matrix.image.management }}", "9000")
            .replace("${{ matrix.processor.name }}", "arm64"));
  }

  private boolean ends(String script, String... options) throws Exception {
    return WorkflowSteps.run(script, folder, List.of(options), environment, folder.resolve("log"));
  }

  private String calls() throws IOException {
    return Files.readString(folder.resolve("calls"));
  }

  /** A program that writes down how it is called, and prints these lines. */
  private void says(String program, String... lines) throws IOException {
    Path file = folder.resolve(program);
    Files.write(folder.resolve(program + ".says"), List.of(lines));
    Files.writeString(
        file,
        """
        #!/bin/sh
        echo "$*" >> '%1$s/calls'
        cat '%1$s/%2$s.says'
        """
            .formatted(folder, program));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
