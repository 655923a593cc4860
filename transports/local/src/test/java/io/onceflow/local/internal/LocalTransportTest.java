package io.onceflow.local.internal;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the relay may count on without a broker: a message is confirmed when it is settled. */
@Timeout(30)
class LocalTransportTest {

  private final LocalTransport transport = new LocalTransport();
  private final Settler settler = new Settler();
  private final BatchConsumer consumer = new BatchConsumer("trips.commands", 10, settler);
  private final MessageSource.Subscription subscription =
      transport.subscribe(
          new MessageSource.Queue("trips.commands", OutboxMessage.COMMANDS, List.of("flight.#")),
          consumer,
          settler);

  @AfterEach
  void close() {
    subscription.close();
    consumer.close();
  }

  @Test
  void confirmsWhatIsSettled() throws Exception {
    consumer.start();
    OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");

    assertThat(publish(command).confirmed()).containsExactly(command.id());
    Delivery delivery = settler.settled.getFirst();
    assertThat(delivery.type()).isEqualTo("ReserveFlight");
    assertThat(delivery.routingKey()).isEqualTo("flight.reserve");
    assertThat(delivery.headers()).containsEntry("x-idempotency-key", "root");
    assertThat(delivery.body()).asString().isEqualTo("{}");
  }

  @Test
  void leavesInDoubtWhatIsNotSettledInTime() throws Exception {
    settler.isAway = true;
    consumer.start();

    Published published = publish(message(OutboxMessage.COMMANDS, "flight.reserve"));

    assertThat(published.confirmed()).isEmpty();
    assertThat(published.refused()).isEmpty();
  }

  /** The relay sends it again and again, for as long as the consumer is held up. */
  @Test
  void keepsNoCopiesOfWhatIsSentAgain() throws Exception {
    settler.isAway = true;
    consumer.start();
    OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");
    for (int i = 0; i < 5; i++) {
      publish(command);
    }
    settler.isAway = false;

    assertThat(publish(command).confirmed()).containsExactly(command.id());
    assertThat(settler.settled).as("the first one, and maybe the last").hasSizeLessThan(3);
  }

  @Test
  void refusesACommandThatNothingHandles() throws Exception {
    OutboxMessage command = message(OutboxMessage.COMMANDS, "hotel.reserve");

    assertThat(publish(command).refused().get(command.id())).contains("hotel.reserve");
  }

  @Test
  void confirmsAnEventThatNothingListensTo() throws Exception {
    OutboxMessage event = message(OutboxMessage.EVENTS, "trip.booked");

    assertThat(publish(event).confirmed()).containsExactly(event.id());
  }

  @Test
  void saysAtOnceThatItHasAnsweredWhatIsNotRouted() throws Exception {
    OutboxMessage event = message(OutboxMessage.EVENTS, "trip.booked");
    MessageChannel channel = transport.openChannel(ofSeconds(10));

    channel.write(OutgoingMessage.each(List.of(event)), ofSeconds(10));

    assertThat(channel.answered().confirmed()).containsExactly(event.id());
  }

  @Test
  void takesNothingMoreOnceCancelled() throws Exception {
    consumer.start();
    subscription.cancel();
    OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");

    assertThat(publish(command).refused().get(command.id()))
        .contains("trips.commands is paused")
        .doesNotContain("nothing in this application handles");
  }

  @Test
  void takesMessagesAgainByTheNextSubscription() throws Exception {
    subscription.cancel();
    OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");
    assertThat(publish(command).confirmed()).isEmpty();

    consumer.start();
    transport.subscribe(
        new MessageSource.Queue("trips.commands", OutboxMessage.COMMANDS, List.of("flight.#")),
        consumer,
        settler);

    assertThat(publish(command).confirmed()).containsExactly(command.id());
  }

  @ParameterizedTest
  @CsvSource({
    "flight.#, flight.reserve, true",
    "flight.#, flight, true",
    "flight.#, flight.reserve.now, true",
    "flight.#, flights.reserve, false",
    "trips.#, trips.us, true",
    "*.us, trips.us, true",
    "*.us, trips.of.us, false",
    "flight.reserve, flight.reserve, true",
    "flight.reserve, flightXreserve, false",
    "#, anything.at.all, true"
  })
  void matchesLikeATopicExchange(String pattern, String routingKey, boolean matches) {
    LocalQueue queue =
        new LocalQueue(new MessageSource.Queue("q", "exchange", List.of(pattern)), delivery -> {});

    assertThat(queue.takes("exchange", routingKey)).isEqualTo(matches);
    assertThat(queue.takes("another", routingKey)).isFalse();
  }

  private Published publish(OutboxMessage message) throws Exception {
    try (Publisher publisher = new TransportPublisher(transport, new BundlePolicy(1))) {
      return publisher.publish(List.of(message), settler.isAway ? ofMillis(200) : ofSeconds(10));
    }
  }

  private static OutboxMessage message(String exchange, String routingKey) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "trip",
        UUID.randomUUID().toString(),
        "ReserveFlight",
        "{}",
        exchange,
        routingKey,
        null,
        "trips",
        Map.of("x-idempotency-key", "root"));
  }

  /** Settles what comes, unless its database is away. */
  private static final class Settler implements BatchSettler {

    private final List<Delivery> settled = new CopyOnWriteArrayList<>();
    private volatile boolean isAway;

    @Override
    public void settle(List<Delivery> batch) throws SQLException {
      if (isAway) {
        throw new SQLException("the database is away", "08006");
      }
      settled.addAll(batch);
    }

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {
      throw new AssertionError("nothing is parked here", why);
    }

    @Override
    public boolean redrive(Parked parked) {
      return false;
    }
  }
}
