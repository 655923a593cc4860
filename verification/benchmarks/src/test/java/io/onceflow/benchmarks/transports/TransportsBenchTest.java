package io.onceflow.benchmarks.transports;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.SagaPlan;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.launcher.stack.Home;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bench itself, too short to measure anything; CI leaves the one that runs to the night. */
@Timeout(300)
class TransportsBenchTest {

  private final StringWriter progress = new StringWriter();

  @Test
  @Tag("packaged")
  @Tag("nightly")
  void confirmsEveryOrder() throws Exception {
    Report report = run(Home.ofThisProcess(), Transport.RABBITMQ);

    assertThat(report.faults()).as("faults, after: %s", progress).isEmpty();
    assertThat(Json.of(report)).contains("\"rabbitmq\"", "sagasPerSecond128", "quarterP99Ms");
    assertThat(report.machine()).containsKey("servers of native RabbitMQ");
  }

  @Test
  void aTransportThatCannotBeMeasuredIsAFaultAndNotTheEnd(@TempDir Path empty) throws Exception {
    Report report = run(new Home(empty), Transport.KAFKA);

    assertThat(report.faults())
        .singleElement()
        .asString()
        .contains("Kafka was not measured", "Kafka's libraries are not in");
    assertThat(report.sections().getFirst().rows()).isEmpty();
  }

  private Report run(Home home, Transport transport) throws Exception {
    SagaPlan each = SagaPlan.quick(BenchBackends.Kind.EMBEDDED).ofLength(Duration.ofSeconds(1));
    TransportsPlan plan = new TransportsPlan(List.of(transport), each, 1);
    return new TransportsBench(home, plan, new PrintWriter(progress, true)).run();
  }
}
