package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rule 3: the relay removes a row only when the broker has confirmed it and did not return it. Seen
 * red when all that was claimed was deleted.
 */
@Timeout(60)
class RelayBatchTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Shipping shipping = new Shipping();
  private final OutboxConfig.Relay config = TestConfig.outbox().relay();

  /** Takes down what it is given and answers as told. */
  private static final class Scripted implements Publisher {

    final List<List<UUID>> published = new ArrayList<>();
    private final Answer answer;

    /** What becomes of a batch. */
    interface Answer {
      Published to(List<OutboxMessage> messages) throws Exception;
    }

    Scripted(Answer answer) {
      this.answer = answer;
    }

    @Override
    public Published publish(List<OutboxMessage> messages, Duration deadline) throws IOException {
      published.add(messages.stream().map(OutboxMessage::id).toList());
      try {
        return answer.to(messages);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}
  }

  @Test
  void deletesWhatWasConfirmed() throws Exception {
    shipping.commit(shipping.command(), shipping.command());
    assertThat(relay(RelayBatchTest::confirmAll)).isFalse();
    assertThat(Shipping.rows()).isZero();
  }

  @Test
  void keepsWhatWasNotConfirmedInTime() throws Exception {
    OutboxMessage one = shipping.command();
    OutboxMessage other = shipping.command();
    shipping.commit(one, other);
    relay(messages -> new Publisher.Published(Set.of(one.id()), Map.of()));
    assertThat(Shipping.rows()).isEqualTo(1);
    assertThat(Shipping.attempts(other)).isEqualTo(1);
  }

  @Test
  void keepsWhatWasRefused() throws Exception {
    OutboxMessage message = shipping.command();
    shipping.commit(message);
    relay(messages -> new Publisher.Published(Set.of(), Map.of(message.id(), "no queue")));
    assertThat(Shipping.attempts(message)).isEqualTo(1);
  }

  @Test
  void letsWhatWasNotDeliveredRestTwiceAsLongEachTime() throws Exception {
    OutboxMessage message = shipping.command();
    shipping.commit(message);
    OutboxConfig.Relay patient =
        TestConfig.outbox(Map.of("relay.first-backoff", HOUR, "relay.longest-backoff", "PT3H"))
            .relay();
    String rest =
        "SELECT round(extract(epoch FROM next_attempt_at - now()) / 3600) FROM outbox_message";
    for (int hours : new int[] {1, 2, 3, 3}) {
      assertThat(shipping.batch(patient, nothingConfirmed()).relay()).isFalse();
      assertThat(Shipping.DATABASE.number(rest)).isEqualTo(hours);
      shipping.batch(patient, nothingConfirmed()).relay();
      assertThat(Shipping.DATABASE.number(rest)).as("it is left alone").isEqualTo(hours);
      Shipping.DATABASE.update("UPDATE outbox_message SET next_attempt_at = now()");
    }
    assertThat(Shipping.attempts(message)).isEqualTo(4);
  }

  /** The crash between publish and delete. */
  @Test
  void publishesAgainUnderTheSameIdWhatACrashLeftBehind() throws Exception {
    OutboxMessage message = shipping.command();
    shipping.commit(message);
    Scripted crashing =
        new Scripted(
            messages -> {
              throw new IllegalStateException("killed after the broker had it");
            });
    assertThatThrownBy(() -> shipping.batch(config, crashing).relay())
        .hasMessageContaining("killed");
    assertThat(Shipping.attempts(message)).isZero();
    Scripted next = new Scripted(RelayBatchTest::confirmAll);
    shipping.batch(config, next).relay();
    assertThat(next.published).isEqualTo(crashing.published).containsExactly(List.of(message.id()));
    assertThat(Shipping.rows()).isZero();
  }

  @Test
  void letsGoOfItsRowsWhenTheBrokerIsAway() throws Exception {
    OutboxMessage message = shipping.command();
    shipping.commit(message);
    Publisher away =
        new Scripted(
            messages -> {
              throw new IOException("connection refused");
            });
    assertThatThrownBy(() -> shipping.batch(config, away).relay()).isInstanceOf(IOException.class);
    relay(RelayBatchTest::confirmAll);
    assertThat(Shipping.rows()).isZero();
  }

  /** While one relay waits for its confirms, another passes its rows by. */
  @Test
  void passesByWhatAnotherRelayHasInHand() throws Exception {
    OutboxMessage mine = shipping.command();
    shipping.commit(mine);
    OutboxMessage yours = shipping.command();
    Scripted other = new Scripted(RelayBatchTest::confirmAll);
    Scripted first =
        new Scripted(
            messages -> {
              shipping.commit(yours);
              shipping.batch(config, other).relay();
              return confirmAll(messages);
            });
    shipping.batch(config, first).relay();
    assertThat(first.published).containsExactly(List.of(mine.id()));
    assertThat(other.published).containsExactly(List.of(yours.id()));
    assertThat(Shipping.rows()).isZero();
  }

  @Test
  void publishesWhatADeadRelayHadInHandOnceItsLeaseHasEnded() throws Exception {
    shipping.commit(shipping.command(), shipping.command());
    assertThat(leased(10)).hasSize(2);
    OutboxMessage later = shipping.command();
    shipping.commit(later);

    Scripted next = new Scripted(RelayBatchTest::confirmAll);
    shipping.batch(config, next).relay();
    assertThat(next.published).containsExactly(List.of(later.id()));
    assertThat(Shipping.DATABASE.number("SELECT count(*) FROM outbox_lease")).isEqualTo(1);

    Shipping.DATABASE.update("UPDATE outbox_lease SET ends_at = now()");
    relay(RelayBatchTest::confirmAll);
    assertThat(Shipping.rows()).isZero();

    Shipping.DATABASE.update("UPDATE outbox_lease SET ends_at = now() - interval '1 minute'");
    shipping.commit(shipping.command());
    relay(RelayBatchTest::confirmAll);
    assertThat(Shipping.DATABASE.number("SELECT count(*) FROM outbox_lease"))
        .as("the next batch forgets those of the dead")
        .isZero();
  }

  /** Seen red without the lock under which claims are made. */
  @Test
  void leasesNothingTwiceToRelaysThatClaimAtTheSameTime() throws Exception {
    shipping.commit(Stream.generate(shipping::command).limit(64).toArray(OutboxMessage[]::new));
    try (ExecutorService relays = Executors.newFixedThreadPool(8)) {
      List<Callable<List<UUID>>> claims = Collections.nCopies(32, () -> leased(2));
      List<UUID> all = new ArrayList<>();
      for (Future<List<UUID>> claimed : relays.invokeAll(claims)) {
        all.addAll(claimed.get());
      }
      assertThat(all).hasSize(64).doesNotHaveDuplicates();
    }
  }

  /** A batch in hand costs one row, not a new version of each of its own. */
  @Test
  void writesNoMessageToClaimIt() throws Exception {
    shipping.commit(shipping.command(), shipping.command());
    long before = Shipping.DATABASE.number("SELECT sum(xmin::text::bigint) FROM outbox_message");

    assertThat(leased(10)).hasSize(2);

    assertThat(Shipping.DATABASE.number("SELECT sum(xmin::text::bigint) FROM outbox_message"))
        .isEqualTo(before);
    assertThat(Shipping.DATABASE.number("SELECT sum(xmax::text::bigint) FROM outbox_message"))
        .isZero();
  }

  /** Claims as a relay does that dies before it publishes. */
  private static List<UUID> leased(int most) throws SQLException {
    OutboxTable table = new OutboxTable(new ObjectMapper());
    try (Connection connection = Shipping.DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      List<UUID> ids =
          table.claim(connection, most, new UUID(0, 0)).stream().map(OutboxMessage::id).toList();
      table.lease(connection, UUID.randomUUID(), ids, Duration.ofMinutes(5));
      connection.commit();
      return ids;
    }
  }

  @Test
  void takesTheOldestFirstAndSaysWhetherItsBatchWasFull() throws Exception {
    OutboxMessage[] messages =
        Stream.generate(shipping::command).limit(5).toArray(OutboxMessage[]::new);
    shipping.commit(messages[3], messages[1], messages[4]);
    shipping.commit(messages[0], messages[2]);
    Scripted publisher = new Scripted(RelayBatchTest::confirmAll);
    OutboxConfig small = TestConfig.outbox(Map.of("relay.batch-size", 2));
    RelayBatch batch = shipping.batch(small.relay(), publisher);
    assertThat(batch.relay()).isTrue();
    assertThat(batch.relay()).isTrue();
    assertThat(batch.relay()).isFalse();
    List<UUID> sent = publisher.published.stream().flatMap(List::stream).toList();
    assertThat(sent).containsExactlyElementsOf(Stream.of(messages).map(OutboxMessage::id).toList());
    assertThat(batch.relay()).as("there is nothing left").isFalse();
    assertThat(publisher.published).hasSize(3);
  }

  private boolean relay(Scripted.Answer answer) throws Exception {
    return shipping.batch(config, new Scripted(answer)).relay();
  }

  private static Publisher nothingConfirmed() {
    return new Scripted(messages -> new Publisher.Published(Set.of(), Map.of()));
  }

  private static Publisher.Published confirmAll(List<OutboxMessage> messages) {
    return new Publisher.Published(
        messages.stream().map(OutboxMessage::id).collect(Collectors.toSet()), Map.of());
  }
}
