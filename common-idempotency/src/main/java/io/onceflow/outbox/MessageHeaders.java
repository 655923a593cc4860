package io.onceflow.outbox;

/** The AMQP headers of every Onceflow message (DESIGN: Messages). */
public final class MessageHeaders {

  /** The root key. */
  public static final String IDEMPOTENCY_KEY = "x-idempotency-key";

  /** Whose key it is: the authenticated subject. */
  public static final String IDEMPOTENCY_SCOPE = "x-idempotency-scope";

  /** ISO-8601 instant after which the sender wants the step no more; absent means never. */
  public static final String EXPIRES_AT = "x-expires-at";

  /** Version of the payload's shape, a decimal integer. */
  public static final String MESSAGE_VERSION = "x-message-version";

  /** W3C trace context of the request that all this follows from. */
  public static final String TRACEPARENT = "traceparent";

  private MessageHeaders() {}
}
