package io.onceflow.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the suite on Onceflow and compares the table with that of the docs, which {@code
 * -Donceflow.regenerate=true} writes.
 */
@Tag("nightly")
@Timeout(300)
class OnceflowConformanceTest {

  private static final TestServers SERVERS = TestServers.shared();
  private static final String DATABASE = "conformance";
  private static final Path JAR = Path.of("onceflow/target/quarkus-app/quarkus-run.jar");
  private static final Path PAGE = Path.of("../../docs/proof/conformance.md");
  private static final String TABLE = "| scenario ";

  @Test
  void theTableOfTheDocsIsWhatOnceflowDoes() throws Exception {
    String table = ConformanceTable.of(Map.of("Onceflow", run()));
    String page = Files.readString(PAGE);
    String current = page.substring(0, page.indexOf(TABLE)) + table;
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(PAGE, current);
    }

    assertThat(rows(current)).as(table).noneMatch(row -> row.endsWith(" fail |"));
    assertThat(rows(Files.readString(PAGE))).as(table).isEqualTo(rows(current));
  }

  private static List<String> rows(String page) {
    return page.lines().filter(line -> line.startsWith("| `")).toList();
  }

  private static List<ScenarioResult> run() throws Exception {
    assertThat(JAR).as("packaged by verification/conformance/onceflow").exists();
    SERVERS.createDatabase(DATABASE);
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // It does not run for as long as the optimizing compiler takes to pay off.
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(Path.of("target/onceflow.log").toFile()));
    command
        .environment()
        .putAll(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL", SERVERS.jdbcUrl(DATABASE),
                "QUARKUS_DATASOURCE_USERNAME", SERVERS.user(DATABASE),
                "QUARKUS_DATASOURCE_PASSWORD", SERVERS.password()));
    return ConformanceSuite.run(command);
  }
}
