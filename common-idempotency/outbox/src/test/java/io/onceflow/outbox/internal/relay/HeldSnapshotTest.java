package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.outbox.HeldSnapshot;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.sql.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the relay does while another transaction, such as a backup, keeps its snapshot: rows that
 * were published remain in the table until it ends. Seen red when claims began with the oldest of
 * them.
 */
@Timeout(120)
@Tag("nightly")
class HeldSnapshotTest {

  private final HeldSnapshot snapshot = new HeldSnapshot();
  private final OutboxTable table = new OutboxTable(new ObjectMapper());
  private final List<UUID> published = new ArrayList<>();
  private final LowWaterMark<UUID> mark = ClaimScan.mark(HeldSnapshot.DATABASE, snapshot::nanoTime);

  private boolean isBrokerAway;

  /** What another thread does before the broker goes away. */
  private Callable<?> meanwhile = () -> null;

  @AfterEach
  void close() throws SQLException {
    snapshot.close();
  }

  @Test
  void aClaimReadsNoMoreWhenTenTimesAsManyMessagesHaveBeenPublished() throws Exception {
    snapshot.published(2_000);
    relay(HeldSnapshot.DATABASE);
    long few = snapshot.blocks.during(this::relay);

    snapshot.published(18_000);

    assertThat(snapshot.blocks.during(this::relay)).isLessThanOrEqualTo(few + 3);
    snapshot.letPauseEnd();
    assertThat(snapshot.blocks.during(this::relay)).as("from the start").isGreaterThan(few + 500);
  }

  @Test
  void theOnesThatAreRefusedAgainAndAgainDoNotMakeClaimsReadMore() throws Exception {
    snapshot.insert(
        snapshot.message(HeldSnapshot.LONG_AGO), snapshot.message(Duration.ofMinutes(2)));
    Shipping.DATABASE.update(
        "UPDATE outbox_message SET next_attempt_at = now() + interval '5 min'");
    snapshot.published(10_000);
    relay(HeldSnapshot.DATABASE);

    assertThat(snapshot.blocks.during(this::relay)).isLessThan(30);
  }

  @Test
  void aScanFromTheStartFindsWhatWasWrittenBelowTheMark() throws Exception {
    relay(HeldSnapshot.DATABASE);
    OutboxMessage late = snapshot.message(HeldSnapshot.LONG_AGO);
    snapshot.insert(late);
    relay(HeldSnapshot.DATABASE);
    assertThat(published).isEmpty();

    snapshot.letPauseEnd();
    relay(HeldSnapshot.DATABASE);

    assertThat(published).containsExactly(late.id());
  }

  @Test
  void theMarkDoesNotPassAMessageOfATransactionThatHasNotEnded() throws Exception {
    OutboxMessage written = snapshot.message(Duration.ofSeconds(2));
    try (Connection tx = Shipping.DATABASE.begin()) {
      table.insert(tx, List.of(written), Duration.ZERO);
      relay(HeldSnapshot.DATABASE);
      relay(HeldSnapshot.DATABASE);
      tx.commit();
    }
    relay(HeldSnapshot.DATABASE);

    assertThat(published).containsExactly(written.id());
  }

  @Test
  void theMarkDoesNotPassAMessageThatHasBeenPutOff() throws Exception {
    OutboxMessage putOff = snapshot.message(Duration.ofSeconds(30));
    snapshot.insert(putOff);
    Shipping.DATABASE.update(
        "UPDATE outbox_message SET next_attempt_at = now() + interval '5 min'");
    relay(HeldSnapshot.DATABASE);
    relay(HeldSnapshot.DATABASE);
    Shipping.DATABASE.update("UPDATE outbox_message SET next_attempt_at = now()");
    relay(HeldSnapshot.DATABASE);

    assertThat(published).containsExactly(putOff.id());
  }

  /** Seen red: all that was older than a minute waited for the next look from the start. */
  @Test
  void whatWaitedWhileTheBrokerWasAwayIsPublishedInOrder() throws Exception {
    snapshot.insert(snapshot.message(HeldSnapshot.LONG_AGO));
    relay(HeldSnapshot.DATABASE);
    published.clear();
    List<OutboxMessage> backlog =
        IntStream.range(0, 1_200)
            .mapToObj(i -> snapshot.message(Duration.ofMinutes(20).minusMillis(i)))
            .toList();
    snapshot.insert(backlog.toArray(OutboxMessage[]::new));

    isBrokerAway = true;
    assertThatThrownBy(() -> relay(HeldSnapshot.DATABASE)).hasMessage("connection lost");
    for (int batch = 0; batch < 3; batch++) {
      relay(HeldSnapshot.DATABASE);
    }

    assertThat(published)
        .containsExactlyElementsOf(backlog.stream().map(OutboxMessage::id).toList());
  }

  /** Formerly only the next look from the start found it, for the other had moved the mark. */
  @Test
  void aBatchThatIsNotPublishedIsFoundWhenAnotherThreadHasTakenTheNextOne() throws Exception {
    snapshot.insert(snapshot.message(HeldSnapshot.LONG_AGO));
    relay(HeldSnapshot.DATABASE);
    OutboxMessage[] backlog =
        IntStream.range(0, 1_000)
            .mapToObj(i -> snapshot.message(Duration.ofMinutes(20).minusMillis(i)))
            .toArray(OutboxMessage[]::new);
    snapshot.insert(backlog);
    isBrokerAway = true;
    meanwhile =
        () -> {
          relay(HeldSnapshot.DATABASE);
          return null;
        };

    assertThatThrownBy(() -> relay(HeldSnapshot.DATABASE)).hasMessage("connection lost");
    relay(HeldSnapshot.DATABASE);

    assertThat(published).contains(backlog[0].id());
  }

  private static void call(Callable<?> meanwhile) throws IOException {
    try {
      meanwhile.call();
    } catch (Exception e) {
      throw new IOException("meanwhile", e);
    }
  }

  /** Seen red: only the next look from the start found it. */
  @Test
  void theMarkDoesNotPassAMessageOfATransactionThatTakesLong() throws Exception {
    OutboxMessage written = snapshot.message(Duration.ZERO);
    try (Connection tx = Shipping.DATABASE.begin()) {
      table.insert(tx, List.of(written), Duration.ZERO);
      await().until(() -> takesLong(tx));
      relay(HeldSnapshot.DATABASE);
      relay(HeldSnapshot.DATABASE);
      tx.commit();
    }
    relay(HeldSnapshot.DATABASE);

    assertThat(published).containsExactly(written.id());
  }

  private static boolean takesLong(Connection tx) throws SQLException {
    String takesLong = "SELECT clock_timestamp() - now() > interval '6 s' AS takes_long";
    return Sql.query(tx, takesLong, row -> row.truth("takes_long")).getFirst();
  }

  private void relay(DataSource database) throws Exception {
    Publisher publisher =
        new Publisher() {
          @Override
          public Published publish(List<OutboxMessage> messages, Duration deadline)
              throws IOException {
            if (isBrokerAway) {
              isBrokerAway = false;
              call(meanwhile);
              throw new IOException("connection lost");
            }
            List<UUID> ids = messages.stream().map(OutboxMessage::id).toList();
            published.addAll(ids);
            return new Published(Set.copyOf(ids), Map.of());
          }

          @Override
          public void close() {}
        };
    new RelayBatch(
            database,
            table,
            publisher,
            TestConfig.outbox().relay(),
            snapshot.shipping.metrics,
            mark)
        .relay();
  }
}
