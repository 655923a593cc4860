package io.onceflow.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.conformance.ScenarioResult.Verdict;
import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the suite on each product and compares the table with that of the docs, which {@code
 * -Donceflow.regenerate=true} writes.
 */
@Tag("nightly")
@Timeout(900)
class ConformancePageTest {

  private static final TestServers SERVERS = TestServers.shared();
  private static final Path JAR = Path.of("onceflow/target/quarkus-app/quarkus-run.jar");
  private static final Path PAGE = Path.of("../../docs/proof/conformance.md");
  private static final String TABLE = "| scenario ";
  private static final String JAVA_HOME = System.getProperty("java.home");

  @Test
  void theTableOfTheDocsIsWhatTheProductsDo() throws Exception {
    Map<String, List<ScenarioResult>> results = new LinkedHashMap<>();
    results.put("Onceflow", onceflow());
    results.put("DBOS", dbos());
    String table = ConformanceTable.of(results);
    String page = Files.readString(PAGE);
    String current = page.substring(0, page.indexOf(TABLE)) + table;
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(PAGE, current);
    }

    assertThat(results.get("Onceflow"))
        .as(table)
        .noneMatch(it -> it.verdict() == Verdict.FAIL || it.verdict() == Verdict.UNSUPPORTED);
    assertThat(rows(Files.readString(PAGE))).as(table).isEqualTo(rows(current));
  }

  private static List<String> rows(String page) {
    return page.lines().filter(line -> line.startsWith("| `")).toList();
  }

  private static List<ScenarioResult> onceflow() throws Exception {
    assertThat(JAR).as("packaged by verification/conformance/onceflow").exists();
    return run("onceflow", "-jar", JAR.toString());
  }

  private static List<ScenarioResult> dbos() throws Exception {
    ProcessBuilder maven =
        command(
            "maven",
            Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
            "-B",
            "-q",
            "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
            "-f",
            "dbos/pom.xml",
            "package");
    maven.environment().put("JAVA_HOME", JAVA_HOME);
    assertThat(maven.start().waitFor()).as("see target/maven.log").isZero();
    return run(
        "dbos",
        "-cp",
        "dbos/target/classes:dbos/target/lib/*",
        "io.onceflow.conformance.dbos.DbosAdapter");
  }

  /** Starts each product with a database of its own. */
  private static List<ScenarioResult> run(String product, String... program) throws Exception {
    String database = "conformance_" + product;
    SERVERS.createDatabase(database);
    ProcessBuilder command =
        command(
            product,
            Path.of(JAVA_HOME, "bin", "java").toString(),
            "-Xmx256m",
            // It does not run for as long as the optimizing compiler takes to pay off.
            "-XX:TieredStopAtLevel=1");
    command.command().addAll(List.of(program));
    command
        .environment()
        .putAll(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL", SERVERS.jdbcUrl(database),
                "QUARKUS_DATASOURCE_USERNAME", SERVERS.user(database),
                "QUARKUS_DATASOURCE_PASSWORD", SERVERS.password(),
                "DBOS_SYSTEM_JDBC_URL", SERVERS.jdbcUrl(database),
                "PGUSER", SERVERS.user(database),
                "PGPASSWORD", SERVERS.password()));
    return ConformanceSuite.run(command);
  }

  private static ProcessBuilder command(String log, String... command) throws IOException {
    Path file = Path.of("target", log + ".log");
    Files.createDirectories(file.getParent());
    Files.deleteIfExists(file);
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().addAll(List.of(command));
    return builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(file.toFile()));
  }
}
