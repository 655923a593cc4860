package io.onceflow.test.races;

import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.ReceiverByType;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The kit's own consumer of events: whoever comes gets a point, or twice what he has. */
final class Points {

  static final String ADD = "PointAdded";
  static final String DOUBLE = "PointsDoubled";

  private static final Map<String, String> SQL =
      Map.of(
          ADD, "UPDATE charge SET amount = amount + 1 WHERE subject = ?::uuid",
          DOUBLE, "UPDATE charge SET amount = amount * 2 WHERE subject = ?::uuid");

  /** How a process of it settles what arrives. */
  interface Settling {
    BatchSettler on(DataSource database);
  }

  private Points() {}

  /** As it should be. */
  static BatchSettler good(DataSource database) {
    return eachOnce(database, Points::count);
  }

  /** What it does is committed by itself, whatever becomes of the inbox (rule 1). */
  static BatchSettler leaky(DataSource database) {
    return eachOnce(
        database,
        (tx, fresh) -> {
          try (Connection own = CoinRaces.database().getConnection()) {
            for (InboundMessage message : fresh) {
              change(own, message);
            }
          }
        });
  }

  /** It has no inbox: each delivery counts. */
  static BatchSettler withoutInbox(DataSource database) {
    BatchSettler parks = good(database);
    return new BatchSettler() {
      @Override
      public void settle(List<Delivery> batch) throws SQLException {
        PlainUnitOfWork.on(database)
            .call(
                tx -> {
                  count(tx, batch.stream().map(InboundMessage::read).toList());
                  return batch;
                });
      }

      @Override
      public void park(Delivery delivery, UnprocessableMessage why) throws SQLException {
        parks.park(delivery, why);
      }

      @Override
      public boolean redrive(Parked parked) throws SQLException {
        return parks.redrive(parked);
      }
    };
  }

  /** What somebody does by hand. */
  static void doubleByHand(UUID subject) throws SQLException {
    try (Connection connection = CoinRaces.database().getConnection();
        PreparedStatement update = connection.prepareStatement(SQL.get(DOUBLE))) {
      update.setString(1, subject.toString());
      update.executeUpdate();
    }
  }

  private static IdempotentReceiver eachOnce(DataSource database, ReceiverByType.Work work) {
    return new IdempotentReceiver(
        PlainUnitOfWork.on(database),
        TestParticipants.parking(CoinRaces.JSON),
        new ReceiverByType(
            message -> Optional.of("count").filter(step -> SQL.containsKey(message.type())), work));
  }

  private static void count(Transaction tx, List<InboundMessage> fresh) throws SQLException {
    for (InboundMessage message : fresh) {
      change(tx.connection(), message);
      tx.send(List.of(told(message)));
    }
  }

  private static void change(Connection connection, InboundMessage message) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(SQL.get(message.type()))) {
      update.setString(1, message.correlationId());
      update.executeUpdate();
    }
  }

  private static OutboxMessage told(InboundMessage message) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "points",
        String.valueOf(message.correlationId()),
        "PointsChanged",
        message.payload(),
        OutboxMessage.EVENTS,
        "points.changed",
        message.correlationId(),
        null,
        Map.of("x-idempotency-scope", message.scope()));
  }
}
