package io.onceflow.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.saga.report.ComparePlot;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompareBenchTest {

  private static final List<Integer> CLIENTS = List.of(32, 128);

  private final StringWriter progress = new StringWriter();
  private final List<String> closed = new ArrayList<>();

  @Test
  void takesTheMedianOfTheRoundsAndTheRatioOfTheProducts() throws Exception {
    JsonNode json = json(compare(PeerName.ONCEFLOW, PeerName.DBOS));
    assertThat(json.at("/sections/compare/onceflow/sagasPerSecondWith32").asDouble())
        .isEqualTo(400);
    assertThat(json.at("/sections/compare/dbos/sagasPerSecondWith128").asDouble()).isEqualTo(100);
    assertThat(json.at("/sections/ratio/dbos/with32").asDouble()).isEqualTo(4);
    assertThat(json.at("/sections/compare/dbos/aloneP50Ms").asDouble()).isEqualTo(1.5);
    assertThat(json.at("/sections/counts/dbos/idleCpuMs").asDouble()).isZero();
    assertThat(json.at("/sections/counts/dbos/indexEntries").isMissingNode())
        .as("it has no database")
        .isTrue();
    assertThat(json.at("/sections/does/dbos/durable").asText()).contains("each step's result");
    assertThat(closed).containsExactly("onceflow", "dbos");
  }

  @Test
  void namesAPeerThatCannotBeStartedAndGoesOn() throws Exception {
    Report report = compare(PeerName.RESTATE, PeerName.DBOS);
    assertThat(Markdown.of(report))
        .contains("Not measured")
        .contains("npm cannot install it")
        .contains("Every saga ended as its order says");
    assertThat(json(report).at("/sections/compare/dbos/sagasPerSecondWith32").asDouble())
        .isEqualTo(100);
    assertThat(json(report).at("/sections/does/restate").isMissingNode()).isTrue();
    assertThat(progress.toString()).contains("Restate is left out: npm cannot install it");
  }

  @Test
  void tellsWhatWasWrongWithAProduct() throws Exception {
    Report report = compare(PeerName.TEMPORAL);
    assertThat(report.faults()).containsExactly("Temporal test server: two sagas failed");
    assertThat(Markdown.of(report)).contains("**WRONG**").doesNotContain("Onceflow over");
  }

  @Test
  void drawsALineForEachProduct() throws Exception {
    String svg = ComparePlot.of(compare(PeerName.ONCEFLOW, PeerName.DBOS), CLIENTS);
    assertThat(svg).startsWith("<svg").contains(">Onceflow</text>", ">DBOS Transact</text>");
    assertThat(svg).contains("<title>DBOS Transact 100</title>");
  }

  private Report compare(PeerName... names) throws Exception {
    ComparePlan plan =
        new ComparePlan(
            List.of(names),
            BenchBackends.Kind.EMBEDDED,
            CLIENTS,
            3,
            Duration.ofMillis(1),
            Duration.ZERO,
            Duration.ZERO);
    return new CompareBench(this::start, plan, new PrintWriter(progress, true)).run();
  }

  private Peer start(PeerName name) throws IOException {
    return switch (name) {
      case ONCEFLOW -> new FakePeer(name, List.of(), 100, 900, 401, 400, 300, 200, 500);
      case TEMPORAL -> new FakePeer(name, List.of("two sagas failed"), 10);
      case DBOS -> new FakePeer(name, List.of(), 100);
      default -> throw new IOException("npm cannot install it");
    };
  }

  private static JsonNode json(Report report) throws IOException {
    return new ObjectMapper().readTree(Json.of(report));
  }

  /** Has rates told beforehand: one for the warm-up, then those of the rounds; then the last. */
  private final class FakePeer implements Peer {

    private final PeerName name;
    private final List<String> faults;
    private final Deque<Integer> rates = new ArrayDeque<>();

    FakePeer(PeerName name, List<String> faults, Integer... rates) {
      this.name = name;
      this.faults = faults;
      this.rates.addAll(List.of(rates));
    }

    @Override
    public PeerRun run(int clients, Duration length, OrderMix mix) {
      int rate = rates.size() > 1 ? rates.pop() : rates.peek();
      return new PeerRun(rate, mix.refusedOneIn(), 0, 1_000_000, 1_500, 9_000);
    }

    @Override
    public CostMeter meter() {
      return CostMeter.ofProcesses(Map.of());
    }

    @Override
    public List<String> faults() {
      return faults;
    }

    @Override
    public void close() {
      closed.add(name.key());
    }
  }
}
