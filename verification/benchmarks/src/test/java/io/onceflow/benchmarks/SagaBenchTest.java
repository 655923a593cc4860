package io.onceflow.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The saga benchmark itself, too short to measure anything: every order is confirmed once, and all
 * of the report is there. How fast that was is not checked here. It takes two minutes, and its
 * parts have tests of their own, so CI leaves it to the night.
 */
@Tag("packaged")
@Tag("nightly")
@Timeout(400)
class SagaBenchTest {

  private final StringWriter report = new StringWriter();
  private final StringWriter progress = new StringWriter();

  @Test
  void confirmsEveryOrderAndKeepsTheReport(@TempDir Path folder) throws Exception {
    CommandLine bench = BenchCommand.commandLine();
    bench.setOut(new PrintWriter(report, true));
    bench.setErr(new PrintWriter(progress, true));
    int exitCode =
        bench.execute("--stack=embedded", "--seconds=1", "--old-rows=1000", "--out=" + folder);
    assertThat(exitCode).as("exit code, after: %s", progress).isZero();
    assertThat(report.toString()).contains("Every order was confirmed").contains("no RabbitMQ");
    assertThat(suffixes(folder)).containsExactly("json", "md", "svg");
    JsonNode json = new ObjectMapper().readTree(file(folder, "json").toFile());
    assertThat(json.at("/sections/closedLoop/32/sagas").asLong()).isPositive();
    assertThat(json.at("/sections/openLoop/0.50/orders").asLong()).isPositive();
    assertThat(json.at("/sections/oneAlone/confirmed/p50Ms").asDouble()).isPositive();
    assertThat(json.at("/sections/replays/replays/perSecond").asDouble()).isPositive();
    assertThat(json.at("/sections/ceiling/best/sagasPerSecond").asDouble()).isPositive();
    assertThat(json.at("/sections/relay/packed/perSecond").asDouble()).isPositive();
    assertThat(json.at("/sections/relay/singly/perSecond").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/walBytes/with32").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/wakeUps.order-service/alone").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/statements/idle").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/statements/alone").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/writing/alone").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/indexEntries/alone").asDouble()).isPositive();
    assertThat(json.at("/sections/cost/indexEntries/with32").asDouble()).isPositive();
    assertThat(json.at("/sections/oldRows/32/ratio").asDouble()).isPositive();
    // The targets are meant for RabbitMQ.
    assertThat(json.at("/missed")).isEmpty();
  }

  private static List<String> suffixes(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(Path::toString)
          .map(name -> name.substring(name.lastIndexOf('.') + 1))
          .sorted()
          .toList();
    }
  }

  private static Path file(Path folder, String suffix) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> it.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }
}
