package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A folder in which a {@link Guide} is followed, with Maven on the path. */
final class Folder implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final Path folder;
  private final Path repository;
  private final Map<String, String> environment;
  private final List<Process> running = new ArrayList<>();
  private String printed = "";

  /**
   * @param repository beside the user's local repository: what this checkout has built
   * @param environment of the commands, in addition
   */
  Folder(Path folder, Path repository, Map<String, String> environment) {
    this.folder = folder;
    this.repository = repository;
    this.environment = environment;
  }

  void follow(Guide guide) throws IOException, InterruptedException {
    for (Guide.Step step : guide.steps()) {
      switch (step) {
        case Guide.Step.WriteFile file -> write(file);
        case Guide.Step.ChangeFile change -> change(change);
        case Guide.Step.Run run -> run(run.command());
        case Guide.Step.Expect expected -> expect(expected.lines());
      }
    }
  }

  private void write(Guide.Step.WriteFile file) throws IOException {
    Path path = folder.resolve(file.path());
    Files.createDirectories(path.getParent());
    Files.writeString(path, file.text());
  }

  private void change(Guide.Step.ChangeFile change) throws IOException {
    Path path = folder.resolve(change.path());
    Files.writeString(path, change.in(Files.readString(path)));
  }

  private void run(String command) throws IOException, InterruptedException {
    boolean goesOn = command.endsWith("&");
    Path log = folder.resolve("output-%d.log".formatted(running.size()));
    Process process = shell(goesOn ? command.substring(0, command.length() - 1) : command, log);
    running.add(process);
    if (goesOn) {
      return;
    }
    boolean ended = process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
    printed = Files.readString(log, StandardCharsets.UTF_8);
    assertThat(ended).as("%s has ended; it printed:%n%s", command, printed).isTrue();
    assertThat(process.exitValue()).as("%s printed:%n%s", command, printed).isZero();
  }

  private Process shell(String command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec 2>&1; " + command)
            .directory(folder.toFile())
            .redirectOutput(log.toFile());
    builder
        .environment()
        .merge("PATH", System.getProperty("maven.home") + "/bin", (old, bin) -> bin + ":" + old);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "MAVEN_ARGS",
            "-B -ntp -Dmaven.repo.local=%s -Dmaven.repo.local.tail=%s"
                .formatted(localRepository(), repository));
    // Another application's tests may run on this machine.
    builder.environment().put("QUARKUS_HTTP_TEST_PORT", "0");
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** The user's own: a build of everything may keep what it installs in one before it. */
  static String localRepository() {
    return System.getProperty("maven.repo.local.tail", System.getProperty("maven.repo.local"));
  }

  /** Where there is an engine for containers, the application starts its database by itself. */
  static Map<String, String> database() {
    if (TestServers.useContainers()) {
      return Map.of();
    }
    TestServers servers = TestServers.shared();
    return Map.of(
        "QUARKUS_DATASOURCE_JDBC_URL", servers.jdbcUrl("payments"),
        "QUARKUS_DATASOURCE_USERNAME", servers.user("payments"),
        "QUARKUS_DATASOURCE_PASSWORD", servers.password());
  }

  private void expect(List<String> lines) {
    StringBuilder pattern = new StringBuilder("(?s).*");
    for (String line : lines) {
      if (line.strip().equals("…")) {
        pattern.append(".*");
      } else {
        for (String text : line.split("…", -1)) {
          pattern.append(Pattern.quote(text)).append("[^\\n]*");
        }
        pattern.append("\\s*");
      }
    }
    assertThat(printed).containsPattern(Pattern.compile(pattern.toString()));
  }

  @Override
  public void close() {
    running.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    running.forEach(Process::destroyForcibly);
  }
}
