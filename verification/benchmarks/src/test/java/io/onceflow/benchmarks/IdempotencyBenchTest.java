package io.onceflow.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The benchmark itself, too short to measure anything: on every store, every key is executed once
 * and every answer is its own. How fast that was is not checked here.
 */
@Tag("packaged")
@Timeout(400)
@Tag("nightly")
class IdempotencyBenchTest {

  private final StringWriter report = new StringWriter();
  private final StringWriter progress = new StringWriter();

  @Test
  void executesEachKeyOnceOnEveryStore(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("report.md");
    int exitCode = run(file);
    assertThat(exitCode).as("exit code, after: %s", progress).isZero();
    assertThat(report.toString())
        .contains("| none | 8 |", "| postgres, leased | 8 |", "| hybrid | 2 | 8 |", "| redis | 8 |")
        .contains("Every key was executed once, and every answer was the one of its key.");
    assertThat(Files.readString(file)).isEqualTo(report.toString());
  }

  private int run(Path file) {
    List<String> arguments =
        new ArrayList<>(
            List.of("idempotency", "--seconds=1", "--warm-up=1", "--clients=8", "--out=" + file));
    String stack = System.getenv("ONCEFLOW_TEST_STACK");
    if (stack != null) {
      arguments.add("--stack=" + stack);
    }
    CommandLine bench = BenchCommand.commandLine();
    bench.setOut(new PrintWriter(report, true));
    bench.setErr(new PrintWriter(progress, true));
    return bench.execute(arguments.toArray(String[]::new));
  }
}
