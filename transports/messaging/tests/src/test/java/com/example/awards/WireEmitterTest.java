package com.example.awards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.onceflow.messaging.MessageAttributes;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an emitter promises with any connector, whatever that answers. */
@Tag("nightly")
class WireEmitterTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      AwardsApplication.onWire("awards_on_wire")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.first-backoff", "PT0.05S")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.longest-backoff", "PT0.2S")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.poll-interval", "PT0.1S")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.confirm-deadline", "PT1S")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.batch-size", "10");

  @Inject Grants grants;
  @Inject Balances balances;

  @Inject
  @Connector("wire")
  Wire wire;

  private String customer = "";

  @BeforeEach
  void name() {
    customer = UUID.randomUUID().toString();
  }

  @AfterEach
  void acknowledgeAll() {
    wire.answer(Message::ack);
    wire.given().forEach(Message::ack);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> balances.number("SELECT count(*) FROM outbox_message") == 0);
    wire.given().clear();
  }

  @Test
  void sendsWhatWasCommittedAndDeletesWhatWasAcknowledged() {
    grants.grant(customer, 3);
    await().until(() -> balances.waiting(customer) == 0);
    assertThat(payloads()).containsExactly(json(3));
  }

  @Test
  void sendsNothingOfATransactionThatIsRolledBack() {
    assertThatIllegalStateException().isThrownBy(() -> grants.grantInVain(customer, 4));
    grants.grant(customer, 5);
    await().until(() -> balances.waiting(customer) == 0);
    assertThat(payloads()).containsExactly(json(5));
  }

  @Test
  void refusesToSendWithoutATransaction() {
    assertThatIllegalStateException()
        .isThrownBy(() -> grants.sendWithoutTransaction(customer))
        .withMessage(
            "no transaction is open, so nothing is sent to channel points-awarded; send from a"
                + " method that is @Once, @Idempotent or @Transactional");
  }

  @Test
  void sendsAgainUnderTheSameIdWhatWasNotAcknowledged() {
    wire.answer(message -> message.nack(new IllegalStateException("full")));
    grants.grant(customer, 6);
    await().until(() -> mine().size() >= 3);
    assertThat(balances.waiting(customer)).isEqualTo(1);
    wire.answer(Message::ack);
    await().until(() -> balances.waiting(customer) == 0);
    Set<String> ids = new HashSet<>();
    mine().forEach(message -> ids.add(attributes(message).messageId()));
    assertThat(ids).hasSize(1).doesNotContainNull();
  }

  /**
   * All of one transaction, so that they are in one batch: what comes after the third must wait.
   */
  @Test
  void keepsTheOrderOfAKeyThroughARefusal() {
    AtomicBoolean isRefused = new AtomicBoolean();
    List<String> taken = new CopyOnWriteArrayList<>();
    wire.answer(
        message -> {
          String payload = message.getPayload().toString();
          if (payload.equals(json(3)) && isRefused.compareAndSet(false, true)) {
            message.nack(new IllegalStateException("not yet"));
          } else {
            taken.add(payload);
            message.ack();
          }
        });
    grants.grantUpTo(customer, 8);
    await().atMost(Duration.ofSeconds(30)).until(() -> balances.waiting(customer) == 0);
    assertThat(isRefused).isTrue();
    assertThat(taken)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 8).mapToObj(this::json).toList());
  }

  /** A batch is ten here, so that a second one would be more. */
  @Test
  void boundsWhatASilentConnectorHas() {
    Queue<Message<?>> open = new ConcurrentLinkedQueue<>();
    AtomicInteger most = new AtomicInteger();
    wire.answer(
        message -> {
          open.add(message);
          most.accumulateAndGet(open.size(), Math::max);
        });
    grants.grantEach(customer, 30);
    await().until(() -> open.size() == 10);
    await().until(() -> balances.number("SELECT max(attempts) FROM outbox_message") > 0);
    // The relay looks every tenth of a second.
    await().during(Duration.ofSeconds(1)).until(() -> open.size() == 10);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              for (Message<?> next = open.poll(); next != null; next = open.poll()) {
                next.ack();
              }
              return balances.number("SELECT count(*) FROM outbox_message") == 0;
            });
    assertThat(most.get()).isEqualTo(10);
  }

  @Test
  void givesTheConnectorWhatTheMessageHas() {
    MessageAttributes attributes =
        new MessageAttributes(
            Map.of("shop", "Berlin"), "award-" + customer, "Award", customer, null);
    grants.send(Message.of(new PointsAwarded(customer, 7), Metadata.of(attributes)));
    await().until(() -> mine().size() == 1);
    MessageAttributes sent = attributes(mine().getFirst());
    assertThat(sent.messageId()).isEqualTo("award-" + customer);
    assertThat(sent.type()).isEqualTo("Award");
    assertThat(sent.recordKey()).isEqualTo(customer);
    assertThat(sent.headers())
        .containsEntry("shop", "Berlin")
        .containsEntry("content-type", "application/json")
        .containsEntry("x-idempotency-key", "award-" + customer);
  }

  @Test
  void refusesWhatTheOutboxCannotKeep() {
    PointsAwarded payload = new PointsAwarded(customer, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> grants.send(Message.of(payload, Metadata.of("anything"))))
        .withMessageContaining("metadata of java.lang.String, which the outbox does not keep");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> grants.send(Message.of(payload, () -> CompletableFuture.completedFuture(null))))
        .withMessageContaining("has an acknowledgement handler");
    MessageAttributes lying = new MessageAttributes(Map.of(), null, null, null, "orders-0-17");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> grants.send(Message.of(payload, Metadata.of(lying))))
        .withMessageContaining("has the position orders-0-17");
    assertThat(balances.number("SELECT count(*) FROM outbox_message")).isZero();
  }

  private List<Message<?>> mine() {
    return wire.given().stream()
        .filter(message -> message.getPayload().toString().contains(customer))
        .toList();
  }

  private List<String> payloads() {
    return mine().stream().map(message -> message.getPayload().toString()).toList();
  }

  private String json(int points) {
    return "{\"customer\":\"%s\",\"points\":%d}".formatted(customer, points);
  }

  private static MessageAttributes attributes(Message<?> message) {
    return message.getMetadata(WireAttributes.Envelope.class).orElseThrow().attributes();
  }
}
