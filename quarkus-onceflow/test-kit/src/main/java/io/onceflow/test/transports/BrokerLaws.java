package io.onceflow.test.transports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every transport with a broker must do besides: connections break, brokers go away, and a
 * receiver that stands still must not be sent everything.
 */
public abstract class BrokerLaws extends TransportLaws {

  /** In which what must not happen would have happened. */
  private static final Duration A_MOMENT = Duration.ofMillis(300);

  /** Messages that the broker sends ahead of their acknowledgement, at most. */
  protected abstract int prefetch();

  /** Breaks all connections of the transport; it may connect again at once. */
  protected abstract void breakConnections() throws Exception;

  /** Has the broker go away, and all connections with it. */
  protected abstract void stopBroker() throws Exception;

  /** Has the broker come back, with or without what it held. */
  protected abstract void startBroker() throws Exception;

  /** A command that the client or the broker does not take for what it is. */
  protected OutboxMessage unwritable() {
    return message("T".repeat(300), "{}");
  }

  /** What one receiver cannot take any more goes to the next one. */
  @Test
  public void aReceiverIsSentOnlySoManyAheadOfItsAcknowledgements() throws Exception {
    TransportReceiver full = receiver();
    full.settleAtMost(0);
    List<OutboxMessage> batch = commands(prefetch() + 30);
    publishUntilConfirmed(batch);
    await().during(A_MOMENT).until(() -> full.settled().isEmpty());

    TransportReceiver next = receiver();

    await().atMost(soon()).until(() -> next.settled().size() == 30);
    await().during(A_MOMENT).until(() -> next.settled().size() == 30);
    full.settleAll();
    await().atMost(soon()).until(() -> full.settled().size() == prefetch());
    assertThat(full.payloads()).isEqualTo(payloads(batch.subList(0, prefetch())));
    assertThat(next.payloads()).isEqualTo(payloads(batch.subList(prefetch(), batch.size())));
  }

  /** Rule 2, at the broker: what is settled is acknowledged, and nothing else. */
  @Test
  public void onlyWhatIsSettledIsAcknowledged() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> batch = commands(25);
    publishUntilConfirmed(batch.subList(0, 10));
    await().atMost(soon()).until(() -> receiver.settled().size() == 10);
    receiver.settleAtMost(10);
    publishUntilConfirmed(batch.subList(10, 25));
    receiver.finish();

    TransportReceiver next = receiver();

    await().atMost(soon()).until(() -> next.settled().size() >= 15);
    await().during(A_MOMENT).until(() -> next.settled().size() == 15);
    assertThat(next.payloads()).isEqualTo(payloads(batch.subList(10, 25)));
  }

  /** A client refuses it, or the broker closes the channel over it. */
  @Test
  public void aMessageThatCannotBeWrittenCostsOnlyItself() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> sound = commands(4);
    OutboxMessage unwritable = unwritable();

    Published published =
        publish(List.of(sound.get(0), sound.get(1), unwritable, sound.get(2), sound.get(3)));

    assertThat(published.confirmed()).isEqualTo(ids(sound));
    assertThat(published.refused()).containsOnlyKeys(unwritable.id());
    await().atMost(soon()).until(() -> Set.copyOf(receiver.payloads()).size() == sound.size());
    assertThat(publish(commands(2)).confirmed()).hasSize(2);
  }

  @Test
  public void aMessageForAnExchangeThatDoesNotExistCostsOnlyItself() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> sound = commands(2);
    OutboxMessage lost = message("no.such.exchange", service + ".reserve", "ReserveFlight", "{}");

    Published published = publish(List.of(sound.get(0), lost, sound.get(1)));

    assertThat(published.confirmed()).isEqualTo(ids(sound));
    assertThat(published.refused()).containsOnlyKeys(lost.id());
    await().atMost(soon()).until(() -> Set.copyOf(receiver.payloads()).size() == sound.size());
  }

  @Test
  public void receptionGoesOnAfterTheConnectionHasBroken() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> before = commands(10);
    publishUntilConfirmed(before);
    await().atMost(soon()).until(() -> receiver.settled().size() >= before.size());

    breakConnections();
    publishUntilConfirmed(List.of(message("ReserveFlight", "after")));

    await().atMost(soon()).until(() -> receiver.payloads().contains("after"));
  }

  /**
   * A tag of a broken connection means another message on the next one. What is settled late
   * acknowledges nothing there, and what came by the broken one comes again.
   */
  @Test
  public void nothingIsAcknowledgedOnAnotherConnectionThanItCameBy() throws Exception {
    TransportReceiver receiver = receiver();
    receiver.settleAtMost(0);
    List<OutboxMessage> batch = commands(prefetch());
    publishUntilConfirmed(batch);
    await().during(A_MOMENT).until(() -> receiver.settled().isEmpty());

    breakConnections();
    receiver.settleAtMost(prefetch() / 2);
    await().atMost(soon()).until(() -> !receiver.settled().isEmpty());
    receiver.stop();

    TransportReceiver next = receiver();
    await()
        .atMost(soon())
        .untilAsserted(
            () ->
                assertThat(union(receiver.payloads(), next.payloads()))
                    .containsAll(payloads(batch)));
  }

  @Test
  public void publishingGoesOnAfterTheConnectionHasBroken() throws Exception {
    TransportReceiver receiver = receiver();
    try (Publisher publisher = new TransportPublisher(transport(), SINGLE)) {
      publisher.publish(commands(1), soon());
      breakConnections();
      OutboxMessage message = message("ReserveFlight", "after");

      await().atMost(soon()).until(() -> isConfirmed(publisher, message));
    }
    await().atMost(soon()).until(() -> receiver.payloads().contains("after"));
  }

  @Test
  public void nothingIsConfirmedWhileTheBrokerIsAwayAndAllIsOnceItIsBack() throws Exception {
    TransportReceiver receiver = receiver();
    OutboxMessage message = message("ReserveFlight", "late");
    try (Publisher publisher = new TransportPublisher(transport(), SINGLE)) {
      publisher.publish(commands(1), soon());
      stopBroker();
      try {
        assertThat(isConfirmed(publisher, message)).isFalse();
      } finally {
        startBroker();
      }

      await().atMost(soon()).until(() -> isConfirmed(publisher, message));
    }
    await().atMost(soon()).until(() -> receiver.payloads().contains("late"));
  }

  private static boolean isConfirmed(Publisher publisher, OutboxMessage message)
      throws InterruptedException {
    try {
      Published published = publisher.publish(List.of(message), Duration.ofSeconds(2));
      return published.confirmed().contains(message.id());
    } catch (IOException away) {
      return false;
    }
  }

  private static Set<String> union(List<String> one, List<String> other) {
    Set<String> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }
}
