package io.onceflow.order.messaging;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.saga.OrderSagas.NewOrder;
import io.onceflow.order.saga.SagasApart;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.messaging.TestReplies;
import io.onceflow.saga.internal.runtime.DeferredReplies;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** A replica of the order service, of one build, without an application around it. */
final class Replica {

  /** As Quarkus makes it. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  final SagasApart sagas;
  final IdempotentReceiver settler;
  final DeferredReplies deferred;
  final FailedMessages taking;
  private final UnitOfWork unitOfWork;

  /** An order that was placed, and its saga. */
  record Placed(UUID order, UUID saga, String customer, String key) {

    /** The reply of a participant, as it sends it. */
    Delivery reply(String type, String payload) {
      return reply(
          type,
          payload,
          ReplyEnvelopes.routingKey(type),
          ReplyEnvelopes.headers(type, customer, key));
    }

    Delivery reply(String type, String payload, String routingKey, Map<String, String> headers) {
      return new Delivery(
          "order-service.replies",
          UUID.randomUUID().toString(),
          type,
          saga.toString(),
          null,
          headers,
          payload.getBytes(StandardCharsets.UTF_8),
          () -> {},
          null,
          routingKey);
    }

    String paymentProcessed() {
      return """
      {"orderId": "%s", "paymentId": "0199c3a4-6020-7d11-8c44-52a1b0c9d302", "amount": 2500,
       "currency": "EUR", "gatewayReference": "ch_1"}\
      """
          .formatted(order);
    }
  }

  /**
   * @param versions of {@code place-order} that the build knows
   * @param newTypes of replies that it knows besides
   * @param startVersion which version it starts of which definition
   */
  Replica(
      DataSource database,
      Set<Integer> versions,
      Set<String> newTypes,
      Map<String, Integer> startVersion) {
    unitOfWork = PlainUnitOfWork.on(database);
    sagas = SagasApart.build(JSON, unitOfWork, versions, newTypes, startVersion);
    deferred = new DeferredReplies(unitOfWork);
    settler =
        new IdempotentReceiver(
            unitOfWork, TestParticipants.parking(JSON), TestReplies.receiver(JSON, sagas.all));
    taking = TestParticipants.failed(database, JSON, settler);
  }

  Placed place() throws SQLException {
    UUID id = OutboxMessage.newId();
    String customer = "customer-" + id;
    String key = "key-" + id;
    Order order =
        Order.placed(
            id,
            customer,
            "EUR",
            List.of(new Item("BOOK-42", 2, 1250)),
            "pm_card_visa",
            new Address("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB"),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    UUID saga =
        unitOfWork.call(
            tx -> {
              sagas.orders.place(tx, List.of(new NewOrder(order, new IdempotencyKey(key), null)));
              return sagas.orders.ofOrder(tx, id).orElseThrow().id();
            });
    return new Placed(id, saga, customer, key);
  }

  SagaView view(Placed placed) throws SQLException {
    return unitOfWork.call(tx -> sagas.all.view(tx, placed.saga()).orElseThrow());
  }

  /** What the saga's history tells of. */
  List<String> events(Placed placed) throws SQLException {
    return view(placed).history().stream().map(entry -> entry.event()).toList();
  }

  int fireDue() throws SQLException {
    return unitOfWork.call(tx -> sagas.all.of("place-order").fireDue(tx, 100).size());
  }
}
