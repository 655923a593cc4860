package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages made from the golden files and then changed at random. Each is handled or parked with
 * its reason, none costs more than a bound, the queue drains, commands are answered, and orders go
 * on.
 */
@Tag("nightly")
@SystemTest
class FuzzedMessagesTest {

  private static final int INPUTS = 1_000;
  private static final int WARM_UP = 200;
  private static final int STRETCH = 250;

  /** Twice as many as a service has memory for, as it reckons. */
  private static final int LARGE_ONES = 256;

  private static final int MISSING_SHOWN = 5;

  /** For the first thousand; more take longer. */
  private static final Duration DRAINED_WITHIN = Duration.ofMinutes(2);

  private static final String FOUND =
      """
      SELECT message_id FROM parked_message WHERE message_id LIKE ?
      UNION SELECT scope FROM inbox_message WHERE scope LIKE ?
      UNION SELECT regexp_replace(step_key, ':[^:]*$', '') FROM inbox_message WHERE step_key LIKE ?
      """;

  /** Except for answers to an address without a queue: they stay in the outbox, rule 3. */
  private static final String UNSENT =
      "SELECT o::text FROM outbox_message o WHERE routing_key ~ '^order-service(\\.|$)' LIMIT 5";

  private static final String REASONS =
      """
      SELECT reason || ' ' || count(*) FROM parked_message
      WHERE message_id LIKE ? GROUP BY reason ORDER BY reason
      """;

  private final Stack stack = Stack.getAsShipped();
  private final String prefix = "fuzz-" + UUID.randomUUID() + "-";

  static Stream<GoldenMessages> queues() {
    return GoldenMessages.ofAllQueues(Stack.getAsShipped());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queues")
  void everyMessageIsHandledOrParkedAtABoundedCostAndTheQueueDrains(GoldenMessages golden) {
    FuzzSettings settings = FuzzSettings.ofRun(INPUTS);

    try (Broker broker = stack.broker()) {
      send(golden, broker, settings.warmUp(WARM_UP));
      try (ResourceWatch watch = ResourceWatch.of(stack.services(), ResourceBounds.DEFAULT)) {
        List<String> complaints =
            watch.complaints(settings.stretches(STRETCH), stretch -> send(golden, broker, stretch));
        System.out.println(watch);
        assertThat(complaints).as("what the messages cost").isEmpty();
      }
    }

    System.out.printf(
        "fuzzed: %d messages of %s with seed %d; parked: %s%n",
        settings.inputs(), golden, settings.seed(), golden.database().texts(REASONS, prefix + "%"));
    expectHealthy(golden);
  }

  /** They are read by the batch, and each is a tree of objects until it is refused. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("queues")
  void manyOfTheLargestMessagesAtOnceEndNoService(GoldenMessages golden) {
    List<Long> pids = stack.services().stream().map(ServiceProcess::pid).toList();
    FuzzSettings settings = FuzzSettings.ofRun(INPUTS);
    List<FuzzedMessage> messages =
        IntStream.range(0, LARGE_ONES)
            .mapToObj(i -> FuzzedMessage.large(golden, prefix + i, new Dice(settings.seed(), i)))
            .toList();

    try (Broker broker = stack.broker()) {
      broker.publishAgain(1, messages.stream().map(FuzzedMessage::message).toList());
      awaitSettled(golden, broker, messages);
    }

    expectHealthy(golden);
    assertThat(stack.services().stream().map(ServiceProcess::pid)).containsExactlyElementsOf(pids);
  }

  @Test
  void theBrokerRefusesAMessageOf15Megabytes() {
    Message large = Message.of(Message.COMMANDS, "payment.process", "ProcessPayment", "{}");

    try (Broker broker = stack.broker()) {
      assertThatThrownBy(
              () -> broker.publishAgain(1, List.of(large.withPayload(" ".repeat(15_000_000)))))
          .hasStackTraceContaining("size");
    }

    stack.newCustomer().places(OrderForm.GOOD).awaitConfirmed();
  }

  private void send(GoldenMessages golden, Broker broker, FuzzSettings stretch) {
    List<FuzzedMessage> messages =
        stretch
            .numbers()
            .mapToObj(i -> FuzzedMessage.of(golden, prefix + i, new Dice(stretch.seed(), i)))
            .toList();
    broker.publishAgain(1, messages.stream().map(FuzzedMessage::message).toList());
    awaitSettled(golden, broker, messages);
  }

  private void awaitSettled(GoldenMessages golden, Broker broker, List<FuzzedMessage> messages) {
    Duration patience = DRAINED_WITHIN.plusMillis(20L * messages.size());
    await(golden + " drains")
        .atMost(patience)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              assertThat(broker.waiting(golden.queue())).isZero();
              assertThat(missing(golden, messages)).isEmpty();
            });
  }

  private List<FuzzedMessage> missing(GoldenMessages golden, List<FuzzedMessage> messages) {
    String all = prefix + "%";
    Set<String> found = new HashSet<>(golden.database().texts(FOUND, all, all, all));
    return messages.stream()
        .filter(message -> !message.isAmong(found))
        .limit(MISSING_SHOWN)
        .toList();
  }

  private void expectHealthy(GoldenMessages golden) {
    assertThat(stack.services())
        .allSatisfy(
            service -> {
              assertThat(service.isAlive()).isTrue();
              assertThat(given().get(service.managementUrl() + "/q/health").statusCode())
                  .isEqualTo(200);
            });
    await("what has to be answered is answered")
        .atMost(DRAINED_WITHIN)
        .untilAsserted(() -> assertThat(golden.database().texts(UNSENT)).isEmpty());
    stack
        .newCustomer()
        .places(OrderForm.GOOD)
        .awaitConfirmed()
        .expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }
}
