package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.rabbitmq.internal.Listener;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of a JTA transaction. The relay polls once an hour (see application.properties). */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class OutboxTest {

  private static final TestDatabase ORDERS = TestDatabase.migrated("orders");

  @Inject Outbox outbox;
  @Inject UnitOfWork unitOfWork;
  @Inject Relay relay;

  private final String to = "test." + UUID.randomUUID();
  private final OutboxMessage message = command();
  private Listener listener;

  @BeforeEach
  void listen() {
    listener = new Listener().to(OutboxMessage.COMMANDS, to);
  }

  @AfterEach
  void close() {
    relay.stop();
    listener.close();
    ORDERS.update("DELETE FROM outbox_message WHERE routing_key = ?", to);
  }

  @Test
  void recordsWhatIsSentInTheCallersTransaction() {
    QuarkusTransaction.requiringNew().run(() -> outbox.send(List.of(message, command())));
    assertThat(recorded()).isEqualTo(2);
  }

  @Test
  void recordsNothingOfATransactionThatIsRolledBack() {
    QuarkusTransaction.begin();
    outbox.send(List.of(message));
    QuarkusTransaction.rollback();
    assertThat(recorded()).isZero();
  }

  @Test
  void wakesTheRelayAfterTheCommit() {
    relay.start();
    QuarkusTransaction.requiringNew().run(() -> outbox.send(List.of(message)));
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> recorded() == 0);
  }

  @Test
  void refusesToSendWithoutATransaction() {
    assertThatIllegalStateException()
        .isThrownBy(() -> outbox.send(List.of(message)))
        .withMessageContaining("@Idempotent or @Transactional");
    assertThat(recorded()).isZero();
  }

  @Test
  void joinsRowsAndMessagesToTheCallersTransaction() {
    relay.start();
    QuarkusTransaction.requiringNew().run(() -> makeThing(to));
    await().until(() -> listener.ids().contains(message.id().toString()));
    assertThat(things()).isEqualTo(1);
  }

  @Test
  void joinedRowsAndMessagesGoWithTheCallersRollback() {
    QuarkusTransaction.begin();
    makeThing(to);
    QuarkusTransaction.rollback();
    assertThat(things()).isZero();
    assertThat(recorded()).isZero();
  }

  @Test
  void refusesToJoinWhereThereIsNoTransaction() {
    assertThatIllegalStateException().isThrownBy(() -> makeThing(to));
    assertThat(things()).isZero();
  }

  @Test
  void saysWhenARowCannotBeWritten() {
    assertThatThrownBy(
            () ->
                QuarkusTransaction.requiringNew().run(() -> outbox.send(List.of(message, message))))
        .hasStackTraceContaining("OutboxWriteFailed")
        .hasStackTraceContaining("2 outbox row(s)");
    assertThat(recorded()).isZero();
  }

  @Test
  void rowsThatAreWrittenByHandNeedOnlyDebeziumsColumnsAndAnAddress() {
    ORDERS.update(
        """
        INSERT INTO outbox_message
               (id, aggregatetype, aggregateid, type, payload, exchange, routing_key)
        VALUES (?, 'order', '1', 'Ping', '{}', ?, ?)
        """,
        message.id(),
        OutboxMessage.COMMANDS,
        to);
    // Started afterwards: a message of this process may go past the table, so it wakes no relay.
    relay.start();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> listener.ids().contains(message.id().toString()));
  }

  private void makeThing(String name) {
    try {
      unitOfWork.join(
          tx -> {
            tx.send(List.of(message));
            try (PreparedStatement insert =
                tx.connection().prepareStatement("INSERT INTO thing (id, name) VALUES (?, ?)")) {
              insert.setObject(1, UUID.randomUUID());
              insert.setString(2, name);
              return insert.executeUpdate();
            }
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private OutboxMessage command() {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        "1",
        "Ping",
        "{}",
        OutboxMessage.COMMANDS,
        to,
        null,
        null,
        Map.of());
  }

  private long recorded() {
    return ORDERS.number("SELECT count(*) FROM outbox_message WHERE routing_key = ?", to);
  }

  private long things() {
    return ORDERS.number("SELECT count(*) FROM thing WHERE name = ?", to);
  }
}
