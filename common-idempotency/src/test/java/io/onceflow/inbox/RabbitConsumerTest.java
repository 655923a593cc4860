package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.idempotency.testing.FlakyDatabase;
import io.onceflow.outbox.BrokerConnection;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Pack;
import io.onceflow.outbox.TestBrokers;
import io.onceflow.outbox.TestPacks;
import io.onceflow.quickstart.testing.TestServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The consumer on a real broker, by a wire that can be cut. */
@Timeout(120)
class RabbitConsumerTest {

  private static final TestServers SERVERS = TestServers.shared();
  private static final int PREFETCH = 512;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final String name = "test-" + UUID.randomUUID();
  private final RabbitQueue queue = new RabbitQueue(name, OutboxMessage.COMMANDS, name + ".#");
  private final Fixture fixture = new Fixture();
  private final Wire wire = new Wire(SERVERS);
  private final BrokerConnection direct = TestBrokers.by(SERVERS.brokerPort(), SERVERS);
  private final List<Delivery> received = new CopyOnWriteArrayList<>();
  private final List<RabbitConsumer> consumers = new ArrayList<>();
  private Channel channel;

  @BeforeEach
  void connect() throws IOException {
    SERVERS.startBroker();
    channel = direct.openChannel();
  }

  @AfterEach
  void close() throws IOException {
    consumers.forEach(RabbitConsumer::close);
    channel.queueDelete(name);
    channel.getConnection().abort();
    wire.close();
    fixture.close();
  }

  @Test
  void handsOnWhatComesInItsOrder() throws Exception {
    consume(received::add);
    send(300);
    awaitReceived(300);
    assertThat(bodies()).isEqualTo(IntStream.range(0, 300).mapToObj(String::valueOf).toList());
    Delivery one = received.getFirst();
    assertThat(one.queue()).isEqualTo(name);
    assertThat(one.type()).isEqualTo("TakeMoney");
    assertThat(one.correlationId()).isEqualTo("saga");
    assertThat(one.replyTo()).isEqualTo("order-service");
    assertThat(one.headers()).isEqualTo(Map.of("traceparent", "00-0af7"));
  }

  @Test
  void acknowledgesABatchByOneFrame() throws Exception {
    RabbitConsumer consumer = consume(received::add);
    send(300);
    awaitReceived(300);
    Delivery.acknowledge(received.subList(0, 200));
    await().until(() -> wire.acknowledgements() == 1);
    consumer.close();
    await().atMost(SOON).until(() -> channel.messageCount(name) == 100);
    assertThat(wire.acknowledgements()).isEqualTo(1);
  }

  @Test
  void leavesWithTheBrokerWhatHasAnEarlierOneBeforeItThatIsNotSettled() throws Exception {
    RabbitConsumer consumer = consume(received::add);
    send(10);
    awaitReceived(10);
    Delivery.acknowledge(received.subList(0, 3));
    Delivery.acknowledge(received.subList(4, 10));
    await().until(() -> wire.acknowledgements() == 1);
    consumer.close();
    await().atMost(SOON).until(() -> channel.messageCount(name) == 7);
  }

  @Test
  void asksForNoMoreThanItsPrefetch() throws Exception {
    consume(received::add);
    send(PREFETCH + 20);
    awaitReceived(PREFETCH);
    await().during(Duration.ofMillis(300)).until(() -> received.size() == PREFETCH);
    Delivery.acknowledge(List.copyOf(received));
    awaitReceived(PREFETCH + 20);
  }

  /**
   * The connector never consumed such a queue again. The embedded broker tells no consumer that its
   * queue is gone; there nobody deletes one.
   */
  @Test
  void goesOnWhenItsQueueIsDeleted() throws Exception {
    consume(received::add);
    assumeThat(SERVERS.inContainers()).isTrue();
    send(1);
    awaitReceived(1);
    channel.queueDelete(name);
    await().atMost(SOON).until(() -> wire.connections() == 2);
    awaitConsumer();
    send(1);
    awaitReceived(2);
  }

  /** A tag of the first channel means another message on the second one, or none at all. */
  @Test
  void acknowledgesNothingOnAnotherChannelThanItCameBy() throws Exception {
    RabbitConsumer consumer = consume(received::add);
    send(3);
    awaitReceived(3);
    wire.cut();
    awaitReceived(6);
    Delivery.acknowledge(received.subList(0, 3));
    assertThat(wire.acknowledgements()).isZero();
    Delivery.acknowledge(received.subList(3, 5));
    await().until(() -> wire.acknowledgements() == 1);
    assertThat(consumer.isOpen()).isTrue();
    consumer.close();
    await().atMost(SOON).until(() -> channel.messageCount(name) == 1);
  }

  @Test
  void goesOnByItselfWhenTheBrokerIsBack() throws Exception {
    RabbitConsumer consumer = consume(received::add);
    SERVERS.stopBroker();
    await().atMost(SOON).until(() -> !consumer.isOpen());
    SERVERS.startBroker();
    await().atMost(SOON).until(consumer::isOpen);
    channel = direct.openChannel();
    send(5);
    awaitReceived(5);
  }

  @Test
  void beginsWhenTheBrokerIsThereAtLast() throws Exception {
    SERVERS.stopBroker();
    RabbitConsumer consumer = start(received::add);
    await().atMost(SOON).until(() -> wire.connections() >= 2);
    assertThat(consumer.isOpen()).isFalse();
    SERVERS.startBroker();
    await().atMost(SOON).until(consumer::isOpen);
    channel = direct.openChannel();
    send(1);
    awaitReceived(1);
  }

  @Test
  void opensAPackAndAcknowledgesItWhenAllThatIsInItIsSettled() throws Exception {
    RabbitConsumer consumer = consume(received::add);
    sendPack(TestPacks.of(List.of(message("1"), message("2"), message("3"))));
    awaitReceived(3);
    assertThat(bodies()).containsExactly("1", "2", "3");
    assertThat(received.get(1).correlationId()).isEqualTo("saga-2");
    Delivery.acknowledge(received.subList(1, 3));
    assertThat(wire.acknowledgements()).isZero();
    Delivery.acknowledge(received.subList(0, 1));
    await().until(() -> wire.acknowledgements() == 1);
    consumer.close();
    assertThat(channel.messageCount(name)).isZero();
  }

  @Test
  void handsOnAPackThatIsNoneForParking() throws Exception {
    consume(received::add);
    sendPack("rubbish".getBytes(UTF_8));
    awaitReceived(1);
    assertThat(received.getFirst().body()).isEqualTo("rubbish".getBytes(UTF_8));
    assertThatThrownBy(() -> InboundMessage.read(received.getFirst()))
        .isInstanceOfSatisfying(
            CannotHandle.class, why -> assertThat(why.reason()).isEqualTo(ParkingReason.MALFORMED));
  }

  /** Rules 2 and 3: whatever was settled and not acknowledged comes again, and has no effect. */
  @Test
  void hasEverythingTakeEffectOnceThoughTheConnectionBreaksAmidUnacknowledged() throws Exception {
    FlakyDatabase database = new FlakyDatabase(Saga.PAYMENTS.source());
    Intake intake =
        fixture.intake(
            fixture.participant(
                new TestInboxConfig(), database.source(), Handlers.all(fixture.world)));
    consume(
        delivery -> {
          received.add(delivery);
          intake.accept(delivery);
        });
    database.goAway();
    List<Saga> sagas = Stream.generate(Saga::new).limit(PREFETCH).toList();
    for (Saga saga : sagas) {
      send(saga.take());
    }
    awaitReceived(PREFETCH);
    wire.cut();
    database.comeBack();
    await().atMost(SOON).until(() -> received.size() >= 2 * PREFETCH);
    await().atMost(SOON).until(() -> sagas.stream().noneMatch(one -> one.replies().isEmpty()));
    await().atMost(SOON).until(() -> wire.acknowledgements() > 0 && drained());
    for (Saga saga : sagas) {
      assertThat(fixture.world.callsUnder(saga.takeKey())).isEqualTo(1);
      assertThat(saga.parkedFor()).isEmpty();
      assertThat(saga.replies()).containsOnly("MoneyTaken");
    }
  }

  private boolean drained() throws IOException {
    consumers.forEach(RabbitConsumer::close);
    return channel.messageCount(name) == 0;
  }

  private RabbitConsumer consume(Consumer<Delivery> sink) throws IOException {
    RabbitConsumer consumer = start(sink);
    awaitConsumer();
    return consumer;
  }

  private RabbitConsumer start(Consumer<Delivery> sink) {
    BrokerConnection broker = TestBrokers.by(wire.port(), SERVERS);
    RabbitConsumer consumer = new RabbitConsumer(broker, queue, () -> PREFETCH, sink);
    consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  private void awaitConsumer() {
    await().atMost(SOON).until(() -> consumers.getLast().isOpen());
  }

  private void awaitReceived(int count) {
    await().atMost(SOON).until(() -> received.size() == count);
  }

  private List<String> bodies() {
    return received.stream().map(one -> new String(one.body(), UTF_8)).toList();
  }

  private void send(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      publish(properties().build(), Integer.toString(i).getBytes(UTF_8));
    }
  }

  private void send(Delivery message) throws IOException {
    BasicProperties properties =
        properties()
            .messageId(message.messageId())
            .type(message.type())
            .correlationId(message.correlationId())
            .headers(Map.copyOf(message.headers()))
            .build();
    publish(properties, message.body());
  }

  private void sendPack(byte[] body) throws IOException {
    publish(properties().contentType(Pack.CONTENT_TYPE).type(Pack.TYPE).build(), body);
  }

  private void publish(BasicProperties properties, byte[] body) throws IOException {
    channel.basicPublish(queue.exchange(), name + ".take", properties, body);
  }

  private static BasicProperties.Builder properties() {
    return new BasicProperties.Builder()
        .messageId(UUID.randomUUID().toString())
        .type("TakeMoney")
        .correlationId("saga")
        .replyTo("order-service")
        .deliveryMode(2)
        .headers(Map.of("traceparent", "00-0af7"));
  }

  private OutboxMessage message(String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "payment",
        payload,
        "TakeMoney",
        payload,
        queue.exchange(),
        name + ".take",
        "saga-" + payload,
        "order-service",
        Map.of());
  }
}
