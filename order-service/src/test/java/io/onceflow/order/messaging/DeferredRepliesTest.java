package io.onceflow.order.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.saga.internal.runtime.DeferredReply;
import io.onceflow.saga.internal.store.version.StartVersionUnknown;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replicas of two builds side by side on one database: the newer one knows a version more. */
class DeferredRepliesTest {

  private static final TestDatabase DATABASE =
      TestDatabase.apart("payments", "onceflow/saga", "migration");

  private static final ParkedMessages PARKED =
      new ParkedMessages(DATABASE.source(), new ObjectMapper(), new SimpleMeterRegistry());

  private final Replica older = new Replica(DATABASE.source(), Set.of(1), Set.of(), Map.of());
  private final Replica newer =
      new Replica(DATABASE.source(), Set.of(1, 2), Set.of("PaymentReserved"), Map.of());

  @AfterEach
  void clear() throws SQLException {
    execute("DELETE FROM parked_message");
    execute("DELETE FROM saga_instance WHERE version > 1");
  }

  @Test
  void aReplyToASagaOfANewerVersionIsTakenByTheReplicaThatKnowsIt() throws Exception {
    Replica.Placed placed = newer.place();
    older.settler.settle(List.of(placed.reply("PaymentProcessed", placed.paymentProcessed())));

    assertThat(older.deferred.newest(null, 10))
        .singleElement()
        .returns("place-order", DeferredReply::definition)
        .returns(2, DeferredReply::version)
        .returns(placed.saga(), DeferredReply::sagaId);
    assertThat(older.taking.tryAgain()).as("the older replica leaves it alone").isZero();
    assertThat(parkedFor(placed)).as("it is no operator's concern").isEmpty();
    assertThat(newer.events(placed)).containsExactly("saga-started", "command-sent");

    newer.taking.tryAgain();
    assertThat(newer.events(placed))
        .containsExactly("saga-started", "command-sent", "succeeded", "command-sent");
    assertThat(newer.deferred.newest(null, 10)).isEmpty();
    assertThat(parkedFor(placed)).isEmpty();
  }

  /** The participant answers each attempt at the step. */
  @Test
  void aReplyIsDeferredOnceHoweverOftenItComes() throws Exception {
    Replica.Placed placed = newer.place();
    for (int attempt = 0; attempt < 3; attempt++) {
      older.settler.settle(List.of(placed.reply("PaymentProcessed", placed.paymentProcessed())));
    }
    assertThat(older.deferred.newest(null, 10)).hasSize(1);
  }

  @Test
  void aDeferredReplyIsTakenOnceHoweverManyReplicasKnowIt() throws Exception {
    List<Replica.Placed> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Replica.Placed placed = newer.place();
      all.add(placed);
      older.settler.settle(List.of(placed.reply("PaymentProcessed", placed.paymentProcessed())));
    }
    try (ExecutorService replicas = Executors.newFixedThreadPool(4)) {
      Callable<Void> taking =
          () -> {
            newer.taking.tryAgain();
            return null;
          };
      for (Future<Void> done : replicas.invokeAll(List.of(taking, taking, taking, taking))) {
        done.get();
      }
    }
    newer.taking.tryAgain();
    for (Replica.Placed placed : all) {
      assertThat(newer.events(placed))
          .containsExactly("saga-started", "command-sent", "succeeded", "command-sent");
    }
  }

  @Test
  void aReplyOfANewTypeIsTakenByTheReplicaThatKnowsTheType() throws Exception {
    Replica.Placed placed = older.place();
    older.settler.settle(
        List.of(
            placed.reply("PaymentReserved", "{\"orderId\": \"%s\"}".formatted(placed.order()))));
    assertThat(parkedFor(placed)).isEmpty();
    assertThat(older.events(placed)).containsExactly("saga-started", "command-sent");

    newer.taking.tryAgain();
    assertThat(newer.events(placed)).contains("succeeded");
  }

  /** The product's own replies are of no type that a definition maps: their outcome says it all. */
  @Test
  void aReplyThatIsKnownByItsOutcomeIsTakenByTheReplicaThatKnowsItsSaga() throws Exception {
    Replica.Placed placed = newer.place();
    older.settler.settle(List.of(byOutcome(placed, "StepUnavailable", "unavailable")));
    older.taking.tryAgain();
    assertThat(older.deferred.newest(null, 10)).hasSize(1);

    newer.taking.tryAgain();

    assertThat(newer.events(placed)).contains("given-up");
    assertThat(newer.deferred.newest(null, 10)).isEmpty();
    assertThat(parkedFor(placed)).isEmpty();
  }

  /** The definition maps no record of a success by annotations, so any type that says so is one. */
  @Test
  void aSuccessThatIsKnownByItsOutcomeIsTakenByTheReplicaThatKnowsItsSaga() throws Exception {
    Replica.Placed placed = newer.place();
    older.settler.settle(List.of(byOutcome(placed, "StepDone", "done")));

    newer.taking.tryAgain();

    assertThat(newer.events(placed)).contains("succeeded");
    assertThat(newer.deferred.newest(null, 10)).isEmpty();
  }

  @Test
  void aSuccessOfAnUnknownTypeStaysAsItWasDeferred() throws Exception {
    Replica.Placed placed = newer.place();
    older.settler.settle(List.of(placed.reply("PaymentForgotten", "{}")));
    List<String> deferred = query("SELECT id::text FROM parked_message");

    newer.taking.tryAgain();

    assertThat(query("SELECT id::text FROM parked_message")).hasSize(1).isEqualTo(deferred);
  }

  private static Delivery byOutcome(Replica.Placed placed, String type, String outcome) {
    Map<String, String> headers =
        ReplyEnvelopes.headers("PaymentProcessed", placed.customer(), placed.key());
    headers.put(MessageHeaders.OUTCOME, outcome);
    return placed.reply(type, "{}", "order-service.payment-service", headers);
  }

  @Test
  void aReplyThatNoReplicaKnowsIsParkedInTheEnd() throws Exception {
    Replica.Placed placed = older.place();
    older.settler.settle(List.of(placed.reply("PaymentForgotten", "{}")));
    older.taking.tryAgain();
    assertThat(parkedFor(placed)).isEmpty();

    execute(
        """
        UPDATE parked_message
        SET    parked_at = parked_at - interval '1 day',
               next_attempt_at = next_attempt_at - interval '1 day'
        """);
    older.taking.tryAgain();
    assertThat(parkedFor(placed)).containsExactly("deferred-too-long");
    assertThat(older.deferred.newest(null, 10)).isEmpty();
  }

  @Test
  void aDeferredReplyThatDoesNotFitIsParkedByTheReplicaThatKnowsIt() throws Exception {
    Replica.Placed placed = newer.place();
    older.settler.settle(
        List.of(placed.reply("PaymentProcessed", placed.paymentProcessed().replace("2500", "1"))));
    newer.taking.tryAgain();

    assertThat(parkedFor(placed)).containsExactly("reply-mismatch");
    assertThat(newer.events(placed)).containsExactly("saga-started", "command-sent");
  }

  @Test
  void anOlderReplicaLeavesTheTimersOfANewerVersionAlone() throws Exception {
    Replica.Placed placed = newer.place();
    execute(SagaRow.MAKE_DUE + "WHERE id = '%s'".formatted(placed.saga()));

    older.fireDue();
    assertThat(timerIsDue(placed)).isTrue();
    newer.fireDue();
    assertThat(timerIsDue(placed)).isFalse();
  }

  @Test
  void aVersionCanBeKnownBeforeItIsStarted() throws Exception {
    Replica shipped =
        new Replica(DATABASE.source(), Set.of(1, 2), Set.of(), Map.of("place-order", 1));
    Replica.Placed placed = shipped.place();

    assertThat(shipped.view(placed).version()).isEqualTo(1);
    older.settler.settle(List.of(placed.reply("PaymentProcessed", placed.paymentProcessed())));
    assertThat(older.events(placed)).contains("succeeded");
  }

  @Test
  void aStartVersionThatTheBuildDoesNotHaveIsRefused() {
    assertThatExceptionOfType(StartVersionUnknown.class)
        .isThrownBy(
            () -> new Replica(DATABASE.source(), Set.of(1), Set.of(), Map.of("place-order", 2)))
        .withMessageContaining("onceflow.saga.start-version.\"place-order\" is 2")
        .withMessageContaining("place-order v1, return-order v1");
    assertThatExceptionOfType(StartVersionUnknown.class)
        .isThrownBy(
            () -> new Replica(DATABASE.source(), Set.of(1), Set.of(), Map.of("place-oder", 1)));
  }

  private boolean timerIsDue(Replica.Placed placed) throws SQLException {
    return query(
            "SELECT (next_action_at <= now())::text FROM saga_instance WHERE id = '%s'"
                .formatted(placed.saga()))
        .contains("true");
  }

  static List<String> parkedFor(Replica.Placed placed) throws SQLException {
    return PARKED.newest(null, 500).reversed().stream()
        .filter(it -> placed.saga().toString().equals(it.correlationId()))
        .map(ParkedMessage::reason)
        .toList();
  }

  static List<String> query(String sql) throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    }
  }

  static void execute(String sql) throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
