package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.internal.relay.DirectPublisher;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process commits it publishes itself; what it does not, others do after the grace. */
@Timeout(120)
class DirectPublishTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static final String DUE_AT_ONCE =
      "SELECT count(*) FROM outbox_message WHERE next_attempt_at <= now()";

  private final BrokerShipping shipping = new BrokerShipping();
  private final Listener listener = new Listener().to(OutboxMessage.COMMANDS, shipping.to);

  @AfterEach
  void close() {
    shipping.close();
    listener.close();
  }

  /** With no thread that reads the table, only the one that commits can have published it. */
  @Test
  void publishesWhatIsCommittedWithoutReadingItBack() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.threads", 0)));
    shipping.publishesDirectly();
    OutboxMessage[] messages =
        Stream.generate(shipping::command).limit(300).toArray(OutboxMessage[]::new);
    shipping.commit(messages);
    await().until(() -> listener.received().size() == 300 && BrokerShipping.rows() == 0);
    assertThat(listener.ids())
        .isEqualTo(Stream.of(messages).map(message -> message.id().toString()).toList());
    assertThat(listener.bundles()).isEqualTo(3);
  }

  @Test
  void sendsALoneMessageAsItself() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.threads", 0)));
    shipping.publishesDirectly();
    shipping.commit(shipping.command());
    await().until(() -> listener.received().size() == 1 && BrokerShipping.rows() == 0);
    assertThat(listener.bundles()).isZero();
  }

  /** The process dies between its commit and the publication. */
  @Test
  void anotherRelayPublishesAfterTheGraceWhatDiedWithItsProcess() throws Exception {
    RecordedChannel nowhere = publishOn(Map.of("relay.direct-publish-grace", "PT1.5S"));
    OutboxMessage orphan = shipping.command();
    shipping.commit(orphan);
    assertThat(nowhere.written()).hasSize(1);
    OutboxMessage later = shipping.command();
    shipping.commitSilently(later);
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", Duration.ofMillis(50))));
    await().until(() -> listener.ids().contains(later.id().toString()));
    assertThat(listener.ids()).as("within the grace").containsExactly(later.id().toString());
    await().until(() -> listener.ids().contains(orphan.id().toString()));
    await().until(() -> BrokerShipping.rows() == 0);
  }

  @Test
  void nothingIsPublishedBeforeItsCommitNorAfterARollback() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.threads", 0)));
    shipping.publishesDirectly();
    OutboxMessage never = shipping.command();
    OutboxMessage other = shipping.command();
    assertThatThrownBy(
            () ->
                shipping.unitOfWork.call(
                    tx -> {
                      tx.send(List.of(never));
                      commitAndArrive(other);
                      throw new IllegalStateException("changed its mind");
                    }))
        .hasMessage("changed its mind");
    OutboxMessage after = shipping.command();
    shipping.commit(after);
    await().until(() -> listener.ids().contains(after.id().toString()));
    assertThat(listener.ids()).hasSize(2).doesNotContain(never.id().toString());
  }

  @Test
  void takesNoMoreThanThereIsRoomFor() throws Exception {
    RecordedChannel full =
        publishOn(Map.of("relay.direct-publish-grace", HOUR, "relay.direct-publish-room", 10));
    for (int i = 0; i < 30; i++) {
      shipping.commit(shipping.command());
    }
    assertThat(full.written()).hasSize(10);
    assertThat(BrokerShipping.DATABASE.number(DUE_AT_ONCE))
        .as("what there was no room for is any relay's at once")
        .isEqualTo(20);
  }

  /** The broker goes away with messages in memory: they are given back to the table. */
  @Test
  void holdsNothingWhileTheBrokerIsAway() throws Exception {
    Relay relay =
        shipping.relay(
            TestConfig.outbox(Map.of("relay.first-backoff", HOUR, "relay.longest-backoff", HOUR)));
    shipping.publishesDirectly();
    BrokerShipping.SERVERS.stopBroker();
    await().until(() -> shipping.signal.reserve().grace().isZero());
    shipping.commit(Stream.generate(shipping::command).limit(50).toArray(OutboxMessage[]::new));
    assertThat(BrokerShipping.DATABASE.number(DUE_AT_ONCE)).isEqualTo(50);
    relay.stop();
  }

  @Test
  void aRelayThatStopsPublishesOrGivesBackWhatItHolds() throws Exception {
    Relay relay = shipping.relay(TestConfig.outbox());
    shipping.publishesDirectly();
    OutboxMessage[] messages =
        Stream.generate(shipping::command).limit(200).toArray(OutboxMessage[]::new);
    shipping.commit(messages);
    relay.stop();
    long left = BrokerShipping.rows();
    assertThat(BrokerShipping.DATABASE.number(DUE_AT_ONCE)).isEqualTo(left);
    await().until(() -> Set.copyOf(listener.ids()).size() >= 200 - left);
  }

  @Test
  void aRelayThatStopsSendsAllThatItWasHandedFirst() throws Exception {
    Relay relay =
        shipping.relay(TestConfig.outbox(Map.of("relay.threads", 0, "relay.batch-size", 10)));
    shipping.publishesDirectly();
    shipping.commit(Stream.generate(shipping::command).limit(500).toArray(OutboxMessage[]::new));
    relay.stop();
    assertThat(BrokerShipping.rows()).isZero();
    await().until(() -> Set.copyOf(listener.ids()).size() == 500);
  }

  /** A queue that nobody has declared yet. */
  @Test
  void whatIsReturnedStaysAndIsTriedAgainOutOfTheTable() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", Duration.ofMillis(50))));
    shipping.publishesDirectly();
    OutboxMessage[] lost =
        Stream.generate(() -> shipping.message(OutboxMessage.COMMANDS, shipping.to + ".later"))
            .limit(20)
            .toArray(OutboxMessage[]::new);
    shipping.commit(lost);
    await()
        .until(
            () -> BrokerShipping.attempts(lost[0]) >= 2 && BrokerShipping.attempts(lost[19]) >= 2);
    assertThat(BrokerShipping.rows()).isEqualTo(20);
    listener.to(OutboxMessage.COMMANDS, shipping.to + ".later");
    await().until(() -> Set.copyOf(listener.ids()).size() == 20 && BrokerShipping.rows() == 0);
  }

  /** Without the thread behind it. */
  private RecordedChannel publishOn(Map<String, ?> settings) {
    RecordedChannel channel = new RecordedChannel();
    DirectPublisher publisher = new DirectPublisher(TestConfig.outbox(settings).relay());
    publisher.open(channel);
    shipping.signal.publishBy(publisher);
    return channel;
  }

  private void commitAndArrive(OutboxMessage message) {
    try {
      shipping.commit(message);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    await().until(() -> listener.ids().contains(message.id().toString()));
  }
}
