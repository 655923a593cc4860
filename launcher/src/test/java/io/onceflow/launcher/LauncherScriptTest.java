package io.onceflow.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell script, with a stand-in for Maven that records how it was called. */
class LauncherScriptTest {

  private static final Path SCRIPT = Path.of("../onceflow");

  /** Tells its version, or writes its folder and its command line to a file and fails. */
  private static final String MAVEN =
      """
      #!/bin/sh
      for argument in "$@"; do
        [ "$argument" != -v ] || { echo "Apache Maven 3.9.16"; exit 0; }
      done
      pwd -P >"$CALLED"
      printf '%s\\n' "$@" >>"$CALLED"
      exit 1
      """;

  @TempDir private Path folder;
  private Path checkout;
  private Path called;

  @BeforeEach
  void prepareCheckout() throws IOException {
    checkout = Files.createDirectories(folder.toRealPath().resolve("with a blank"));
    called = folder.resolve("called");
    Files.copy(SCRIPT, checkout.resolve("onceflow"));
    Files.createDirectories(checkout.resolve("verification"));
    Files.copy(
        SCRIPT.resolveSibling("verification/test-everything"),
        checkout.resolve("verification/test-everything"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(checkout.resolve("services.yaml"), "services:\n  - name: order-service\n");
    Path maven = folder.resolve("bin/mvn");
    Files.createDirectories(maven.getParent());
    Files.writeString(maven, MAVEN);
    assertThat(maven.toFile().setExecutable(true)).isTrue();
  }

  /** Quarkus' plugin for extensions splits Maven's command line at each blank. */
  @Test
  void buildsAndTestsInAFolderWithABlankInItsPath() throws Exception {
    assertThat(run("up")).contains("The build failed");
    assertThat(Files.readAllLines(called)).startsWith(checkout.toString()).contains("package");
    assertThat(arguments()).noneMatch(argument -> argument.contains(" "));

    run("test", "--stack", "embedded");
    assertThat(Files.readAllLines(called)).startsWith(checkout.toString()).contains("install");
    assertThat(arguments()).noneMatch(argument -> argument.contains(" "));
  }

  /**
   * An edited console was not built again, and of the jars of two versions the one whose name sorts
   * last was started.
   */
  @Test
  void buildsWhatHasChangedAndStartsThisVersion() throws Exception {
    Files.writeString(checkout.resolve("pom.xml"), "<project>\n  <version>0.1.0</version>\n");
    Path page = empty("quarkus-onceflow/console/src/main/web/main.ts");
    empty("order-service/target/quarkus-app/quarkus-run.jar");
    empty("launcher/target/onceflow-launcher-0.1.0.jar");
    empty("launcher/target/onceflow-launcher-0.9.0.jar");
    empty(".onceflow/launcher.built");
    empty(".onceflow/services.built");

    assertThat(run("up"))
        .contains("corrupt jarfile")
        .contains("onceflow-launcher-0.1.0.jar")
        .doesNotContain("onceflow-launcher-0.9.0.jar");
    assertThat(called).doesNotExist();

    Files.setLastModifiedTime(page, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(run("up")).contains("The build failed");
  }

  private Path empty(String file) throws IOException {
    Path path = checkout.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, "");
  }

  private List<String> arguments() throws IOException {
    return Files.readAllLines(called).stream().skip(1).toList();
  }

  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", checkout.resolve("onceflow").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("CALLED", called.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isEqualTo(1);
    return output;
  }
}
