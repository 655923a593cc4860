package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.store.Shop.DeliveredReply;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Seen red with a timer that each reply moves, and with less room on the pages: each new version of
 * a row then took an entry in each index of its table.
 */
@DisplayName("The row of a running saga")
class RowsStayInPlaceTest {

  private static final int SAGAS = 500;

  /** As many as share a transaction. */
  private static final int BATCH = 50;

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeFromNothing();
  }

  @Test
  void staysInPlaceWithAReply() throws SQLException {
    List<UUID> sagas = placed();
    deliver(sagas, paymentProcessed());
    SagaDatabase.closeIdle();

    await().until(() -> SagaDatabase.count(updates("n_tup_upd")) == SAGAS);
    assertThat(SagaDatabase.count(updates("n_tup_hot_upd"))).isEqualTo(SAGAS);
  }

  @Test
  void isNotWrittenForACopyOfAReply() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed());
    String before = written(saga);

    shop.deliver(saga, paymentProcessed(), paymentProcessed());
    assertThat(written(saga)).isEqualTo(before);

    shop.deliver(saga, shipmentArranged());
    String ended = written(saga);
    shop.deliver(saga, shipmentArranged(), paymentProcessed());
    assertThat(written(saga)).isEqualTo(ended);
  }

  @Test
  void keepsItsTimerUntilItFiresAndGetsTheNextThen() throws SQLException {
    UUID saga = shop.placeOne();
    String timer = timer(saga);
    shop.deliver(saga, paymentProcessed());
    assertThat(timer(saga)).as("put off by a reply").isEqualTo(timer);

    shop.heard();
    String revision = written(saga);
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '1 s'");
    assertThat(shop.fireDue(10)).as("too early").hasSize(1);

    assertThat(shop.heard()).isEmpty();
    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(written(saga)).isNotEqualTo(revision);
    assertThat(
            SagaDatabase.count(
                """
                SELECT count(*)
                FROM   saga_instance saga
                JOIN   saga_step step ON step.saga_id = saga.id
                WHERE  next_action_at = step.due_at
                AND    revision = 2
                """))
        .isEqualTo(1);
  }

  /** A command may name a card. Its payload was kept for as long as its saga. */
  @Test
  void erasesACommandOnceItIsAnswered() throws SQLException {
    UUID saga = shop.placeOne();
    assertThat(commands(saga)).isEqualTo("process-payment");
    shop.deliver(saga, paymentProcessed());
    assertThat(commands(saga)).isEqualTo("arrange-shipment");
    shop.deliver(saga, shipmentArranged());
    assertThat(commands(saga)).isNull();
  }

  /** The names of those whose payload is kept. */
  private static @Nullable String commands(UUID saga) throws SQLException {
    return SagaDatabase.text(
        """
        SELECT string_agg(command ->> 'name', ', ')
        FROM   saga_journal, json_array_elements(commands) AS command
        WHERE  saga_id = '%s'
        """
            .formatted(saga));
  }

  /** Batches of neighbours, as sagas that were started together are answered together. */
  private List<UUID> placed() throws SQLException {
    List<UUID> sagas = new ArrayList<>();
    for (int i = 0; i < SAGAS; i += BATCH) {
      sagas.addAll(shop.place(BATCH));
    }
    return sagas;
  }

  private void deliver(List<UUID> sagas, Reply reply) throws SQLException {
    for (int i = 0; i < SAGAS; i += BATCH) {
      shop.deliver(
          sagas.subList(i, i + BATCH).stream().map(it -> new DeliveredReply(it, reply)).toList());
    }
  }

  private static String updates(String counter) {
    return "SELECT %s FROM pg_stat_user_tables WHERE relname = 'saga_instance'".formatted(counter);
  }

  /** Which version of its row, and how many of its journal, there are. */
  private static String written(UUID saga) throws SQLException {
    return SagaDatabase.text(
        """
        SELECT ctid::text || ' of ' || (SELECT count(*) FROM saga_journal WHERE saga_id = id)
        FROM   saga_instance
        WHERE  id = '%s'
        """
            .formatted(saga));
  }

  private static String timer(UUID saga) throws SQLException {
    return SagaDatabase.text(
        "SELECT next_action_at::text FROM saga_instance WHERE id = '%s'".formatted(saga));
  }
}
