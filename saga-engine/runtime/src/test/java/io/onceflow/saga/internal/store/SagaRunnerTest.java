package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.paymentRefunded;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.internal.store.Shop.Delivered.IGNORED;
import static io.onceflow.saga.internal.store.Shop.Delivered.MOVED;
import static io.onceflow.saga.internal.store.Shop.Delivered.UNKNOWN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.store.Shop.DeliveredReply;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = SECONDS)
class SagaRunnerTest {

  private static final SagaDefinition<PlaceOrder> NEXT_VERSION =
      new SagaDefinition<>(
          "place-order", 2, PlaceOrder.DEFINITION.steps().reversed().subList(1, 3));

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void sendsTheFirstCommandWithTheKeyScopeAndTraceOfItsRequest() throws SQLException {
    UUID saga = shop.placeOne();

    SagaView view = shop.view(saga);
    Shop.Sent message = shop.sent.getFirst();
    assertThat(shop.sent).hasSize(1);
    assertThat(message.sagaId()).isEqualTo(saga);
    assertThat(message.rootKey()).isEqualTo("key-" + message.subjectId());
    assertThat(message.headers())
        .containsEntry("x-idempotency-scope", "alice")
        .containsEntry("traceparent", Shop.TRACE);
    assertThat(message.name()).isEqualTo("process-payment");
    assertThat(message.command().type()).isEqualTo("ProcessPayment");
    assertThat(view.status()).isEqualTo(SagaStatus.RUNNING);
    assertThat(view.steps())
        .extracting(step -> step.name() + " " + step.status())
        .containsExactly(
            "process-payment WAITING", "arrange-shipment PENDING", "confirm-order PENDING");
    assertThat(view.steps().getFirst().idempotencyKey())
        .isEqualTo(message.rootKey() + ":process-payment");
    assertThat(view.steps().getFirst().attempts()).isEqualTo(1);
    assertThat(lines(view)).containsExactly("saga-started", "command-sent process-payment");
  }

  @Test
  void confirmsTheOrderWhenEveryStepSucceeds() throws SQLException {
    UUID saga = shop.placeOne();

    assertThat(shop.deliver(saga, paymentProcessed())).containsExactly(MOVED);
    assertThat(shop.deliver(saga, shipmentArranged())).containsExactly(MOVED);

    SagaView view = shop.view(saga);
    assertThat(shop.heard()).containsExactly("process-payment", "arrange-shipment");
    assertThat(view.status()).isEqualTo(SagaStatus.COMPLETED);
    assertThat(view.endedAt()).isNotNull();
    assertThat(view.nextActionAt()).isNull();
    assertThat(view.steps()).allMatch(step -> step.status() == StepStatus.SUCCEEDED);
    assertThat(lines(view)).endsWith("pivot-passed confirm-order", "saga-completed");
    assertThat(orderOf(saga).confirmed()).isTrue();
    assertThat(orderOf(saga).noted()).containsExactly("PaymentProcessed", "ShipmentArranged");
  }

  @Test
  void refundsThePaymentOfAnOrderThatCannotBeShipped() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed());
    shop.deliver(saga, shipmentRejected());
    shop.deliver(saga, paymentRefunded());

    SagaView view = shop.view(saga);
    SagaView.Step payment = view.steps().getFirst();
    assertThat(shop.heard())
        .containsExactly("process-payment", "arrange-shipment", "refund-payment");
    assertThat(view.status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(view.reason()).isEqualTo("SHIPMENT_REJECTED");
    assertThat(payment.status()).isEqualTo(StepStatus.COMPENSATED);
    assertThat(payment.compensation().idempotencyKey()).endsWith(":refund-payment");
    assertThat(payment.compensation().repliedAt()).isNotNull();
    assertThat(orderOf(saga).cancelledFor()).isEqualTo("SHIPMENT_REJECTED");
  }

  @Test
  void takesSeveralRepliesToOneSagaInTheirOrder() throws SQLException {
    UUID saga = shop.placeOne();

    assertThat(
            shop.deliver(
                saga,
                shipmentArranged(),
                paymentProcessed(),
                paymentProcessed(),
                shipmentArranged()))
        .containsExactly(IGNORED, MOVED, IGNORED, MOVED);

    assertThat(shop.view(saga).status()).isEqualTo(SagaStatus.COMPLETED);
    assertThat(shop.heard()).containsExactly("process-payment", "arrange-shipment");
    assertThat(orderOf(saga).confirmed()).isTrue();
  }

  @Test
  void movesManySagasInOneTransaction() throws SQLException {
    List<UUID> sagas = shop.place(200);
    List<DeliveredReply> replies = new ArrayList<>();
    for (UUID saga : sagas) {
      Reply reply = replies.size() % 3 == 0 ? paymentDeclined() : paymentProcessed();
      replies.add(new DeliveredReply(saga, reply));
    }

    assertThat(shop.deliver(replies)).hasSize(200).containsOnly(MOVED);

    assertThat(shop.heard()).filteredOn("arrange-shipment"::equals).hasSize(133);
    for (int i = 0; i < 200; i++) {
      SagaView view = shop.view(sagas.get(i));
      assertThat(view.status()).isEqualTo(i % 3 == 0 ? SagaStatus.COMPENSATED : SagaStatus.RUNNING);
    }
  }

  @Test
  void leavesOutASagaThatDoesNotExistAndMovesTheOthers() throws SQLException {
    UUID saga = shop.placeOne();

    assertThat(
            shop.deliver(
                List.of(
                    new DeliveredReply(UUID.randomUUID(), paymentProcessed()),
                    new DeliveredReply(saga, paymentProcessed()))))
        .containsExactly(UNKNOWN, MOVED);
  }

  @Test
  void leavesASagaOfAnUnknownVersionAlone() throws SQLException {
    Shop newer = new Shop(PlaceOrder.DEFINITION, NEXT_VERSION);
    UUID saga = newer.placeOne();
    Shop.passDeadlines();

    assertThat(shop.deliver(saga, shipmentArranged())).containsExactly(UNKNOWN);
    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(shop.view(saga).steps()).hasSize(1);
    assertThat(shop.view(saga).history()).hasSize(2);
  }

  @Test
  void finishesASagaByTheVersionItWasStartedWith() throws SQLException {
    UUID saga = shop.placeOne();
    Shop newer = new Shop(NEXT_VERSION, PlaceOrder.DEFINITION);

    newer.deliver(saga, paymentProcessed());
    newer.deliver(newer.placeOne(), shipmentArranged());

    assertThat(newer.heard())
        .containsExactly("arrange-shipment", "arrange-shipment", "process-payment");
    assertThat(newer.view(saga).version()).isEqualTo(1);
  }

  @Test
  void savesOnlyOrdersThatChanged() throws SQLException {
    UUID moved = shop.placeOne();
    UUID ignoring = shop.placeOne();
    assertThat(shop.orders.saved).isEmpty();

    shop.deliver(
        List.of(
            new DeliveredReply(moved, paymentProcessed()),
            new DeliveredReply(ignoring, shipmentArranged())));

    assertThat(shop.orders.saved).containsExactly(orderOf(moved).id());
    assertThat(lines(shop.view(ignoring))).endsWith("command-sent process-payment");
  }

  @Test
  void leavesNothingBehindWhenItsTransactionIsRolledBack() throws SQLException {
    UUID saga = shop.placeOne();
    SagaView before = shop.view(saga);

    try (Connection tx = SagaDatabase.begin()) {
      DeliveredReply reply = new DeliveredReply(saga, paymentProcessed());
      shop.deliver(tx, List.of(reply));
      tx.rollback();
    }

    assertThat(shop.view(saga)).isEqualTo(before);
  }

  /** A batch that was rolled back and settled one by one was counted twice. */
  @Test
  void tellsOfNothingBeforeItIsCommittedAndOfEachWriteThen() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed());
    assertThat(shop.committed).isEmpty();

    shop.afterCommit.forEach(Runnable::run);

    assertThat(shop.committed)
        .extracting(written -> written.state().id(), written -> written.state().revision())
        .containsExactly(tuple(saga, 1L), tuple(saga, 2L));
  }

  @Test
  void findsASagaByWhatItIsAbout() throws SQLException {
    UUID saga = shop.placeOne();
    UUID order = shop.sent.getFirst().subjectId();

    try (Connection tx = SagaDatabase.begin()) {
      assertThat(shop.reads.viewBySubject(tx, order)).contains(shop.view(saga));
      assertThat(shop.reads.viewBySubject(tx, saga)).isEmpty();
      assertThat(shop.reads.view(tx, order)).isEmpty();
    }
  }

  @Test
  void knowsARootKeyThatWasUsedInItsScope() throws SQLException {
    shop.placeOne();
    String rootKey = shop.sent.getFirst().rootKey();
    SagaStore store = new PostgresSagaStore(SagaDatabase.source());

    try (Connection tx = SagaDatabase.begin()) {
      RootKey used = new RootKey("alice", rootKey);
      List<RootKey> wanted =
          List.of(used, new RootKey("bob", rootKey), new RootKey("alice", "another"));
      assertThat(store.usedRootKeys(tx, wanted)).containsExactly(used);
    }
  }

  @Test
  void saysWhoseSubjectIsMissing() throws SQLException {
    UUID saga = shop.placeOne();
    SagaDatabase.execute("DELETE FROM test_order");

    assertThatIllegalStateException()
        .isThrownBy(() -> shop.deliver(saga, paymentProcessed()))
        .withMessageContainingAll(saga.toString(), "not there");
  }

  @Test
  void refusesDefinitionsThatAreNotVersionsOfOne() {
    SagaDefinition<PlaceOrder> other =
        new SagaDefinition<>("return-order", 1, PlaceOrder.DEFINITION.steps());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Shop(PlaceOrder.DEFINITION, other))
        .withMessageContaining("place-order v1, return-order v1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Shop(PlaceOrder.DEFINITION, PlaceOrder.DEFINITION));
  }

  private static List<String> lines(SagaView view) {
    return view.history().stream()
        .map(entry -> entry.step() == null ? entry.event() : entry.event() + " " + entry.step())
        .toList();
  }

  private PlaceOrder orderOf(UUID saga) throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> {
          UUID order =
              new PostgresSagaStore(SagaDatabase.source())
                  .find(tx, saga)
                  .orElseThrow()
                  .saga()
                  .origin()
                  .subjectId();
          Map<UUID, PlaceOrder> found = shop.orders.load(Shop.in(tx), Set.of(order));
          return found.get(order);
        });
  }
}
