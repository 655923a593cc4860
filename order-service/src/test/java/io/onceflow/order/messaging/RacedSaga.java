package io.onceflow.order.messaging;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.saga.OrderSagas.NewOrder;
import io.onceflow.order.saga.ReturnSagas;
import io.onceflow.order.saga.ReturnSagas.NewReturn;
import io.onceflow.order.saga.SagasApart;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.test.races.RacedMessage;
import io.onceflow.test.races.RacedReply.Story;
import io.onceflow.test.races.RacedReply.Teller;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

/** An order, and perhaps its return, in which one of the replies is raced with. */
final class RacedSaga implements Story {

  private final SagasApart sagas;
  private final UnitOfWork unitOfWork;
  private final String customer;
  private final RacedReplies.Line line;
  private final UUID order = OutboxMessage.newId();
  private String root = "key-" + order;
  private UUID saga = order;
  private UUID wish = order;

  RacedSaga(SagasApart sagas, UnitOfWork unitOfWork, String customer, RacedReplies.Line line) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
    this.customer = customer;
    this.line = line;
  }

  @Override
  public void tellWhatComesBefore(Teller teller) throws Exception {
    place();
    for (String step : line.before()) {
      switch (step) {
        case RacedReplies.CANCEL -> cancel();
        case RacedReplies.RETURN -> giveBack();
        case RacedReplies.COMPENSATE -> compensate();
        default -> teller.tell(reply(step));
      }
    }
  }

  @Override
  public RacedMessage message() {
    return reply(line.type());
  }

  @Override
  public RacedMessage other() {
    return reply(line.other());
  }

  @Override
  public String otherPayload() {
    return message().payload().replace("}", ", \"said\": \"otherwise\"}");
  }

  /** The customer cancels the order, or the operator the return. */
  @Override
  public void interfere() throws SQLException {
    if (wish.equals(order)) {
      cancel();
    } else {
      compensate();
    }
  }

  @Override
  public String outcome() throws SQLException {
    SagaView view = unitOfWork.call(tx -> sagas.all.view(tx, saga).orElseThrow());
    return "%s because of %s\nsteps: %s\nhistory: %s"
        .formatted(
            view.status(),
            view.reason(),
            view.steps().stream()
                .map(step -> step.name() + " " + step.status() + " " + step.attempts())
                .toList(),
            view.history().stream()
                .map(entry -> "%s %s %s".formatted(entry.event(), entry.step(), entry.detail()))
                .collect(Collectors.joining("; ")))
        .replace(customer, "the customer");
  }

  private void place() throws SQLException {
    Order placed =
        Order.placed(
            order,
            customer,
            "EUR",
            List.of(new Item("BOOK-42", 2, 1250)),
            "pm_card_visa",
            new Address("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB"),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    saga =
        unitOfWork.call(
            tx -> {
              sagas.orders.place(tx, List.of(new NewOrder(placed, new IdempotencyKey(root), null)));
              return sagas.orders.ofOrder(tx, order).orElseThrow().id();
            });
  }

  private void giveBack() throws SQLException {
    root = "key-back-" + order;
    NewReturn asked = new NewReturn(order, customer, new IdempotencyKey(root), null);
    unitOfWork.call(
        tx -> {
          if (sagas.returns.begin(tx, asked) instanceof ReturnSagas.Answer.Begun begun) {
            wish = begun.wish().id();
          }
          saga = sagas.returns.ofReturn(tx, wish).orElseThrow().id();
          return saga;
        });
  }

  private void cancel() throws SQLException {
    unitOfWork.call(tx -> sagas.orders.cancel(tx, order, customer));
  }

  private void compensate() throws SQLException {
    SagaEvent.Compensate request = new SagaEvent.Compensate("olga", "it is a race");
    unitOfWork.call(tx -> sagas.all.request(tx, saga, request));
  }

  private RacedMessage reply(String type) {
    String payload = Objects.requireNonNull(RacedReplies.PAYLOADS.get(type), type);
    return new RacedMessage(
        UUID.randomUUID().toString(),
        type,
        null,
        payload.replace("?order", order.toString()).replace("?return", wish.toString()),
        root,
        customer,
        saga.toString(),
        ReplyEnvelopes.routingKey(type),
        ReplyEnvelopes.headers(type, customer, root));
  }
}
