package io.onceflow.simulation.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Objects;
import java.util.UUID;

/** {@code parked_message} in memory. */
public class MemoryParking extends Parking {

  private final Table<UUID, Parked> table = new Table<>();

  /** A message and why it is here. */
  public record Parked(Delivery delivery, String reason) {}

  private final boolean keeps;

  /**
   * @param keeps false to forget parked messages, which rule 13 forbids
   */
  public MemoryParking(ObjectMapper json, MeterRegistry registry, boolean keeps) {
    super(json, registry, Defaults.config(InboxConfig.class));
    this.keeps = keeps;
  }

  @Override
  public void park(
      io.onceflow.outbox.Outbox.Transaction opened, Delivery delivery, UnprocessableMessage why)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(opened.connection());
    tx.statement(() -> "PARK " + delivery + ": " + why.getMessage());
    if (keeps) {
      table.put(tx, OutboxMessage.newId(), new Parked(delivery, why.getMessage()));
    }
  }

  /** What is parked, as committed. */
  public Collection<Parked> parked() {
    return table.rows();
  }

  /** Whether a message is parked, as committed. */
  public boolean isParked(Delivery delivery) {
    return table.rows().stream()
        .anyMatch(parked -> Objects.equals(parked.delivery().messageId(), delivery.messageId()));
  }
}
