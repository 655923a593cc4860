package io.onceflow.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerServerTest {

  private final SimulatedServices services = new SimulatedServices();

  @Test
  void runsSagasAndTellsTheirEffects() throws Exception {
    List<PeerLine> answers =
        answersTo(
            this::saga,
            PeerServer.run(4, Duration.ofMillis(100), OrderMix.ONE_IN_TEN_REFUSED),
            PeerServer.EFFECTS);
    assertThat(answers).hasSize(3).startsWith(PeerLine.READY);
    PeerRun run = PeerRun.of(answers.get(1));
    Effects effects = Effects.of(answers.get(2));
    assertThat(run.sagas()).isGreaterThan(10);
    assertThat(run.compensated()).isEqualTo(run.sagas() / 10);
    assertThat(run.elapsedMicros()).isGreaterThanOrEqualTo(100_000);
    assertThat(run.p99Micros()).isGreaterThanOrEqualTo(run.p50Micros());
    assertThat(effects.faults(run)).isEmpty();
  }

  @Test
  void countsSagasThatFailOrEndOtherwise() throws Exception {
    SagaPeer confirmsAll = services::confirm;
    PeerRun run = run(confirmsAll, OrderMix.ONE_IN_TEN_REFUSED);
    assertThat(run.wrong()).isPositive();
    assertThat(services.effects().faults(run))
        .singleElement()
        .asString()
        .contains("failed or ended");
    SagaPeer fails =
        order -> {
          throw new IllegalStateException("no");
        };
    assertThat(run(fails, OrderMix.ALL_CONFIRMED).sagas()).isZero();
  }

  @Test
  void refusesACommandThatItDoesNotKnow() {
    assertThatThrownBy(() -> answersTo(this::saga, "walk"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("walk");
  }

  private PeerRun run(SagaPeer peer, OrderMix mix) throws Exception {
    return PeerRun.of(answersTo(peer, PeerServer.run(1, Duration.ofMillis(50), mix)).get(1));
  }

  private Ending saga(PeerOrder order) {
    services.charge(order);
    if (services.book(order).equals(SimulatedServices.REFUSED)) {
      services.refund(order);
      return services.cancel(order);
    }
    return services.confirm(order);
  }

  private List<PeerLine> answersTo(SagaPeer peer, String... commands) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PeerServer.serve(
        peer,
        services,
        new ByteArrayInputStream(String.join("\n", commands).getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> PeerLine.parse(line).orElseThrow())
        .toList();
  }
}
