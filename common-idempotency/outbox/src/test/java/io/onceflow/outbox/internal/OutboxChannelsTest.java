package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The messages of channels and those of the transport lie in one table and never meet. */
@Timeout(60)
class OutboxChannelsTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private final Shipping shipping = new Shipping();
  private final OutboxTable table = new OutboxTable(new ObjectMapper());
  private final OutboxTable orders = channel("orders");
  private final OutboxMessage command = shipping.command();
  private final OutboxMessage ordered = shipping.message(OutboxMessage.CHANNELS, "orders");
  private final OutboxMessage paid = shipping.message(OutboxMessage.CHANNELS, "payments");

  @BeforeEach
  void record() throws Exception {
    shipping.commitSilently(ordered, command, paid);
  }

  @Test
  void eachRelayClaimsItsOwn() throws SQLException {
    assertThat(claimed(table)).containsExactly(command.id());
    assertThat(claimed(orders)).containsExactly(ordered.id());
    assertThat(claimed(channel("payments"))).containsExactly(paid.id());
  }

  @Test
  void tellsWhichChannelsAreWaitedFor() throws SQLException {
    try (Connection connection = Shipping.DATABASE.source().getConnection()) {
      assertThat(OutboxTable.channelsWaitedFor(connection))
          .containsExactlyInAnyOrder("orders", "payments");
    }
  }

  /** The transport's lease is a range, and this channel's messages lie in it. */
  @Test
  void aLeaseOfTheTransportHoldsUpNoChannel() throws Exception {
    OutboxMessage later = shipping.command();
    shipping.commitSilently(later);
    change(tx -> table.lease(tx, UUID.randomUUID(), List.of(command.id(), later.id()), LONG));
    assertThat(claimed(channel("payments"))).containsExactly(paid.id());
  }

  @Test
  void aLeaseLeavesABatchToOneRelayAndHoldsUpNoOther() throws Exception {
    OutboxMessage later = shipping.message(OutboxMessage.CHANNELS, "orders");
    shipping.commitSilently(later);
    UUID lease = UUID.randomUUID();
    change(tx -> orders.lease(tx, lease, List.of(ordered.id(), later.id()), LONG));
    assertThat(claimed(orders)).isEmpty();
    assertThat(claimed(channel("payments"))).containsExactly(paid.id());
    assertThat(claimed(table)).containsExactly(command.id());
    change(tx -> orders.endLease(tx, lease));
    assertThat(claimed(orders)).containsExactly(ordered.id(), later.id());
  }

  @Test
  void theEndOfALeaseLeavesWhatWasPutOff() throws SQLException {
    UUID lease = UUID.randomUUID();
    change(tx -> orders.lease(tx, lease, List.of(ordered.id()), LONG));
    change(tx -> orders.defer(tx, List.of(ordered.id()), LONG.toMillis(), LONG.toMillis()));
    change(tx -> orders.endLease(tx, lease));
    assertThat(claimed(orders)).isEmpty();
    assertThat(Shipping.attempts(ordered)).isEqualTo(1);
  }

  @Test
  void aRelayThatClaimsHoldsUpNoneOfAnotherChannel() throws SQLException {
    try (Connection first = Shipping.DATABASE.source().getConnection()) {
      first.setAutoCommit(false);
      assertThat(ids(orders.claim(first, 10, OutboxStore.START))).containsExactly(ordered.id());
      assertThat(claimed(channel("payments"))).containsExactly(paid.id());
      assertThat(claimed(table)).containsExactly(command.id());
      first.rollback();
    }
  }

  private static OutboxTable channel(String name) {
    return new OutboxTable(new ObjectMapper(), TestConfig.outbox().relay(), name);
  }

  /** Statements of one transaction. */
  private interface Statements {
    void on(Connection connection) throws SQLException;
  }

  private static void change(Statements statements) throws SQLException {
    try (Connection connection = Shipping.DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      statements.on(connection);
      connection.commit();
    }
  }

  private static List<UUID> claimed(OutboxStore store) throws SQLException {
    try (Connection connection = Shipping.DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      List<UUID> claimed = ids(store.claim(connection, 10, OutboxStore.START));
      connection.rollback();
      return claimed;
    }
  }

  private static List<UUID> ids(Collection<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }
}
