package io.onceflow.benchmarks.transports;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.SagaPlan;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.transports.TransportResult.Latency;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TransportsSectionTest {

  private static final TransportResult NATIVE =
      result(Transport.RABBITMQ, List.of(400.0, 500.0, 9.0), List.of(1000.0));

  @Test
  void comparesMediansWithTheNativeOnes() {
    assertThat(lineOf("channels on RabbitMQ", NATIVE, result(Transport.MESSAGING, 160, 600)))
        .containsSubsequence(
            "160", "0.40", "2.50", "21.5", "600", "0.60", "1.50", "19.5", "20.1", "40.2", "30.3",
            "60.4", "met");
  }

  @Test
  void aRatioBelowItsTargetIsMissed() {
    assertThat(lineOf("channels on RabbitMQ", NATIVE, result(Transport.MESSAGING, 159, 600)))
        .contains("TARGET MISSED: >= 0.4");
    assertThat(lineOf("Kafka", NATIVE, result(Transport.KAFKA, 400, 699)))
        .contains("TARGET MISSED: >= 0.7");
    assertThat(lineOf("Kafka", NATIVE, result(Transport.KAFKA, 280, 700))).contains("met: >= 0.7");
  }

  @Test
  void noRatioIsJudgedWithoutRabbitMq() {
    assertThat(Markdown.of(report(false, NATIVE, result(Transport.KAFKA, 4, 1))))
        .doesNotContain("MISSED");
  }

  @Test
  void thereIsNoRatioWhereTheNativeOneWasNotMeasured() {
    Report report = report(true, result(Transport.KAFKA, 280, 700));

    assertThat(Markdown.of(report)).contains("280").doesNotContain("MISSED");
    assertThat(Json.of(report)).contains("sagasPerSecond32").doesNotContain("ofNative32");
  }

  private static String lineOf(String label, TransportResult... results) {
    return Markdown.of(report(true, results))
        .lines()
        .filter(line -> line.startsWith("| " + label + " "))
        .findAny()
        .orElseThrow();
  }

  private static Report report(boolean hasTargets, TransportResult... results) {
    TransportsPlan plan =
        new TransportsPlan(
            List.of(Transport.values()), SagaPlan.quick(BenchBackends.Kind.DOCKER), 3);
    return new Report(
        Instant.EPOCH,
        Map.of(),
        List.of(new TransportsSection(plan, List.of(results), hasTargets).section()),
        List.of());
  }

  private static TransportResult result(Transport transport, double with32, double with128) {
    return result(transport, List.of(with32), List.of(with128));
  }

  private static TransportResult result(
      Transport transport, List<Double> with32, List<Double> with128) {
    return new TransportResult(
        transport,
        Map.of(32, with32, 128, with128),
        Map.of(32, List.of(cost(2.5, 21_500)), 128, List.of(cost(1.5, 19_500))),
        new Latency(20.1, 40.2),
        new Latency(30.3, 60.4));
  }

  private static SagaCost cost(double cpuMillis, double walBytes) {
    return new SagaCost(
        1,
        Map.of("postgresql", cpuMillis / 2, "order-service", cpuMillis / 2),
        0,
        Map.of(),
        walBytes,
        Map.of(),
        Map.of(),
        Map.of(),
        OptionalDouble.empty());
  }
}
