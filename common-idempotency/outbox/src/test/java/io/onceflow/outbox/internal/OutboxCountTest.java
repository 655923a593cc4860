package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.HeldSnapshot;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Counting while another transaction keeps its snapshot. Seen red when all of the table was read.
 */
@Timeout(60)
class OutboxCountTest {

  private final HeldSnapshot snapshot = new HeldSnapshot();
  private final OutboxCount count = new OutboxCount(HeldSnapshot.DATABASE, snapshot::nanoTime);

  @AfterEach
  void close() throws SQLException {
    snapshot.close();
  }

  @Test
  void readsNoMoreWhenTenTimesAsManyMessagesHaveBeenPublished() throws Exception {
    snapshot.published(2_000);
    count(HeldSnapshot.DATABASE);
    long few = snapshot.blocks.during(this::count);

    snapshot.published(18_000);

    assertThat(snapshot.blocks.during(this::count)).isLessThanOrEqualTo(few + 3);
    snapshot.letPauseEnd();
    assertThat(snapshot.blocks.during(this::count)).as("from the start").isGreaterThan(few + 500);
  }

  @Test
  void countsOldMessagesAndYoungOnes() throws Exception {
    snapshot.insert(
        snapshot.message(HeldSnapshot.LONG_AGO),
        snapshot.message(Duration.ofSeconds(30)),
        snapshot.message(Duration.ZERO));
    Shipping.DATABASE.update(
        """
        UPDATE outbox_message
        SET    created_at = now() - interval '1 h'
        WHERE  id = (SELECT id FROM outbox_message ORDER BY id LIMIT 1)
        """);

    assertThat(count(HeldSnapshot.DATABASE).waiting()).isEqualTo(3);
    snapshot.insert(snapshot.message(Duration.ZERO));
    assertThat(count(HeldSnapshot.DATABASE).waiting()).as("not from the start").isEqualTo(4);
    assertThat(count(HeldSnapshot.DATABASE).oldestSeconds()).isBetween(3_600.0, 3_660.0);
  }

  /** Seen red: of those older than a minute the number was from the last look from the start. */
  @Test
  void countsABacklogThatIsOlderThanAMinuteEachTime() throws Exception {
    insertOld(150);
    assertThat(count(HeldSnapshot.DATABASE).waiting()).isEqualTo(150);
    Shipping.DATABASE.update(
        "DELETE FROM outbox_message WHERE id IN (SELECT id FROM outbox_message ORDER BY id LIMIT 110)");
    assertThat(count(HeldSnapshot.DATABASE).waiting()).isEqualTo(40);
  }

  /** The first of those that are refused again and again has many dead ones behind it. */
  @Test
  void looksUpAFewThatAreOldAndReadsNoMoreWhatLiesBehind() throws Exception {
    insertOld(1);
    snapshot.published(10_000);
    assertThat(count(HeldSnapshot.DATABASE).waiting()).isEqualTo(1);

    assertThat(snapshot.blocks.during(this::count)).isLessThan(30);
    assertThat(count(HeldSnapshot.DATABASE).waiting()).isEqualTo(1);
    assertThat(count(HeldSnapshot.DATABASE).oldestSeconds()).isBetween(0.0, 60.0);
    Shipping.DATABASE.update("DELETE FROM outbox_message");
    assertThat(count(HeldSnapshot.DATABASE).waiting()).as("seen red: from the start only").isZero();
    assertThat(count(HeldSnapshot.DATABASE).oldestSeconds()).isZero();
  }

  private void insertOld(int messages) throws SQLException {
    snapshot.insert(
        IntStream.range(0, messages)
            .mapToObj(i -> snapshot.message(HeldSnapshot.LONG_AGO.plusMillis(i + 1)))
            .toArray(OutboxMessage[]::new));
  }

  private OutboxGauges.Look count(DataSource database) throws SQLException {
    try (Connection tx = database.getConnection()) {
      tx.setAutoCommit(false);
      OutboxGauges.Look look = count.upTo(1_000, tx);
      tx.commit();
      return look;
    }
  }
}
