package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.MessageHeaders;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One saga of a test, which sends commands and looks at what became of them. */
public final class Saga {

  public static final TestDatabase PAYMENTS = TestDatabase.migrated("payments");

  public final UUID subject = UUID.randomUUID();
  public final String root = "key-" + UUID.randomUUID();
  public final String correlationId = UUID.randomUUID().toString();
  public final AtomicInteger acknowledged = new AtomicInteger();
  private final String scope;

  public Saga() {
    this("ada");
  }

  public Saga(String scope) {
    this.scope = scope;
  }

  public Delivery take() {
    return take(42);
  }

  public Delivery take(long amount) {
    return command("TakeMoney", "{\"subject\":\"%s\",\"amount\":%d}".formatted(subject, amount));
  }

  /** The command of the action, wanted until then. */
  public Delivery takeBefore(Instant expiresAt) {
    return delivery(
        "TakeMoney",
        "{\"subject\":\"%s\",\"amount\":42}".formatted(subject).getBytes(UTF_8),
        "order-service",
        Map.of(MessageHeaders.EXPIRES_AT, expiresAt.toString()));
  }

  public Delivery giveBack() {
    return command("GiveMoneyBack", "{\"subject\":\"%s\"}".formatted(subject));
  }

  public Delivery command(String type, String payload) {
    return delivery(type, payload.getBytes(UTF_8), "order-service", Map.of());
  }

  /** Any message; headers given here replace the usual ones, a blank one takes it away. */
  public Delivery delivery(
      @Nullable String type,
      byte[] body,
      @Nullable String replyTo,
      Map<String, String> otherHeaders) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, root);
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, scope);
    headers.put(MessageHeaders.MESSAGE_VERSION, "1");
    headers.put(MessageHeaders.TRACEPARENT, "00-0af7651916cd43dd8448eb211c80319c-01");
    headers.putAll(otherHeaders);
    headers.values().removeIf(String::isBlank);
    return new Delivery(
        "payment-service.commands",
        UUID.randomUUID().toString(),
        type,
        correlationId,
        replyTo,
        headers,
        body,
        acknowledged::incrementAndGet);
  }

  /** The same message with these headers as well. */
  public Delivery with(Map<String, String> headers, Delivery delivery) {
    Map<String, String> all = new HashMap<>(delivery.headers());
    all.putAll(headers);
    return delivery(delivery.type(), delivery.body(), delivery.replyTo(), all);
  }

  /** Origin, step and outcome of the replies that were sent, in their order. */
  public List<String> identityOfReplies() {
    return PAYMENTS.texts(
        """
        SELECT concat_ws(' ', coalesce(headers->>'x-saga-origin', '-'),
                 coalesce(headers->>'x-saga-step', '-'), coalesce(headers->>'x-outcome', '-'))
        FROM   outbox_message
        WHERE  correlation_id = ?
        ORDER  BY id
        """,
        correlationId);
  }

  public String takeKey() {
    return root + ":take-money";
  }

  public String giveBackKey() {
    return root + ":give-money-back";
  }

  /** The types of the replies that were sent, in their order. */
  public List<String> replies() {
    return PAYMENTS.texts(
        "SELECT type FROM outbox_message WHERE correlation_id = ? ORDER BY id", correlationId);
  }

  public List<String> payloadsOf(String type) {
    return PAYMENTS.texts(
        "SELECT payload FROM outbox_message WHERE correlation_id = ? AND type = ?",
        correlationId,
        type);
  }

  @Nullable
  public String statusOf(String stepKey) {
    return inbox("status", stepKey);
  }

  /** A column of a step's inbox row, as text. */
  @Nullable
  public String inbox(String column, String stepKey) {
    return PAYMENTS.text(
        "SELECT (" + column + ")::text FROM inbox_message WHERE scope = ? AND step_key = ?",
        scope,
        stepKey);
  }

  @Nullable
  public String charge() {
    return PAYMENTS.text("SELECT status FROM charge WHERE subject = ?", subject);
  }

  public List<String> parkedFor() {
    return PAYMENTS.texts(
        "SELECT reason FROM parked_message WHERE correlation_id = ? ORDER BY id", correlationId);
  }

  /** Lets a step's lease be over by the database's clock. */
  public void endLease(String stepKey) {
    PAYMENTS.update(
        """
        UPDATE inbox_message
        SET    lease_expires_at = now() - interval '1 ms'
        WHERE  step_key = ?
        AND    status = 'STARTED'
        """,
        stepKey);
  }
}
