package io.onceflow.payment.gateway;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.StepKey;
import io.onceflow.inbox.CallNotPermitted;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.GatewayUnavailable;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guard in front of the gateway lets through, and what it says of the rest. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
@Timeout(60)
class GuardedGatewayTest {

  private final UUID order = OutboxMessage.newId();

  @Inject GuardedGateway gateway;

  /** Other tests charge as well. */
  @AfterEach
  void awaitThatItIsLeftAloneNoMore() {
    await()
        .pollInterval(ofMillis(5))
        .untilAsserted(
            () -> assertThatCode(() -> charge("pm_card_visa")).doesNotThrowAnyException());
  }

  @Test
  void letsAnswersThrough() throws Exception {
    assertThat(chargeWhenLetIn("pm_card_visa")).isInstanceOf(Outcome.Charged.class);
    assertThat(chargeWhenLetIn("pm_card_chargeDeclined")).isInstanceOf(Outcome.Declined.class);
    assertThatThrownBy(() -> chargeWhenLetIn("pm_sim_lost_answer"))
        .isInstanceOf(GatewayUnavailable.class);
  }

  @Test
  void givesMoneyBackWhileTheChargesThatMayBeUnderWayAreAndGivesUpOnThose() throws Exception {
    List<FutureTask<Outcome>> hanging =
        Stream.generate(() -> new FutureTask<>(() -> chargeWhenLetIn("pm_sim_down")))
            .limit(12)
            .toList();
    hanging.forEach(Thread.ofVirtual()::start);

    await()
        .pollInterval(ofMillis(5))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> charge("pm_card_visa"))
                    .isInstanceOf(CallNotPermitted.class));
    assertThat(gateway.annul(key(), order)).isEmpty();
    for (FutureTask<Outcome> call : hanging) {
      assertThatThrownBy(call::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(GatewayUnavailable.class)
          .hasMessageContaining("it took too long");
    }
  }

  @Test
  void leavesAGatewayAloneThatMostlyFails() {
    await()
        .pollInterval(ofMillis(5))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> charge("pm_sim_unavailable_twice"))
                    .isInstanceOf(CallNotPermitted.class)
                    .hasMessageContaining("left alone"));
  }

  /**
   * However many come at the same moment, among them the one that only looks, and while the breaker
   * is open for the sake of steps that other tests left to recovery.
   */
  private Outcome chargeWhenLetIn(String paymentMethod) throws InterruptedException {
    while (true) {
      try {
        return charge(paymentMethod);
      } catch (CallNotPermitted full) {
        Thread.yield();
      }
    }
  }

  private Outcome charge(String paymentMethod) throws InterruptedException {
    return gateway.charge(key(), new ProcessPayment(order, 2500, "EUR", paymentMethod));
  }

  private static ChargeKey key() {
    IdempotencyKey root = new IdempotencyKey(UUID.randomUUID().toString());
    return new ChargeKey("alice", new StepKey(root, "process-payment"));
  }
}
