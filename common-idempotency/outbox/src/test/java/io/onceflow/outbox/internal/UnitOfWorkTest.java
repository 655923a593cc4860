package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.OwnUnitOfWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is told after a commit: all that is to be told, and that cannot undo the commit. */
class UnitOfWorkTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("unit_of_work");

  private final UnitOfWork unitOfWork = OwnUnitOfWork.on(DATABASE.source());
  private final List<String> told = new ArrayList<>();

  /** Before: an outage of the broker added a copy with each attempt at each step. */
  @Test
  void whatWaitsToBePublishedIsNotRecordedOnceMore() throws Exception {
    DATABASE.update("DELETE FROM outbox_message");
    unitOfWork.run(tx -> tx.send(List.of(command("7", "charge", "{\"amount\": 1}"))));

    unitOfWork.run(
        tx ->
            tx.sendAgain(
                List.of(
                    command("7", "charge", "{\"amount\": 1}"),
                    command("7", "charge", "{\"amount\": 2}"),
                    command("7", "refund", "{\"amount\": 1}"),
                    command("8", "charge", "{\"amount\": 1}"))));

    assertThat(DATABASE.number("SELECT count(*) FROM outbox_message")).isEqualTo(4);
    DATABASE.update("DELETE FROM outbox_message");
    unitOfWork.run(tx -> tx.sendAgain(List.of(command("7", "charge", "{\"amount\": 1}"))));
    assertThat(DATABASE.number("SELECT count(*) FROM outbox_message")).isEqualTo(1);
  }

  private static OutboxMessage command(String saga, String step, String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        "order-" + saga,
        "ChargeCard",
        payload,
        OutboxMessage.COMMANDS,
        "payment.charge",
        saga,
        "order-service",
        Map.of("x-saga-step", step, "traceparent", UUID.randomUUID().toString()));
  }

  @Test
  void tellsAllListenersAlthoughTheFirstOnesFail() throws Exception {
    String result =
        unitOfWork.call(
            tx -> {
              tx.afterCommit(
                  () -> {
                    throw new IllegalStateException("as the test wants it");
                  });
              tx.afterCommit(
                  () -> {
                    throw new AssertionError("as the test wants it");
                  });
              tx.afterCommit(() -> told.add("last"));
              return "done";
            });
    assertThat(told).containsExactly("last");
    assertThat(result).isEqualTo("done");
  }
}
