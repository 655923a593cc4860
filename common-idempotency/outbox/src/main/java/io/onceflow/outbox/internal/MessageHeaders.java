package io.onceflow.outbox.internal;

/** The AMQP headers of every Onceflow message (DESIGN: Messages). */
public final class MessageHeaders {

  /** The root key. */
  public static final String IDEMPOTENCY_KEY = "x-idempotency-key";

  /** Whose key it is: the authenticated subject. */
  public static final String IDEMPOTENCY_SCOPE = "x-idempotency-scope";

  /**
   * Who sends the command: application and definition, {@code order-service/place-order}. Belongs
   * to the identity of a step. Replies repeat it.
   */
  public static final String SAGA_ORIGIN = "x-saga-origin";

  /** Name of the step, or of the compensation, that the command is for; replies repeat it. */
  public static final String SAGA_STEP = "x-saga-step";

  /** Only on compensations: name of the step that they undo. */
  public static final String SAGA_UNDOES = "x-saga-undoes";

  /** Only on replies: {@code done}, {@code refused}, {@code cancelled}, {@code expired}, … */
  public static final String OUTCOME = "x-outcome";

  /** ISO-8601 instant after which the sender wants the step no more; absent means never. */
  public static final String EXPIRES_AT = "x-expires-at";

  /**
   * On commands of steps that may be pending: for how many seconds the saga waits for an external
   * event. A step whose command has none may not be answered as pending.
   */
  public static final String AWAIT_WITHIN = "x-await-within";

  /**
   * On commands that are sent until they are done: the outcomes that end the step, separated by
   * commas. {@code done} on compensations and on steps past the pivot; {@code done,refused} on a
   * pivot. Absent where any outcome ends the step.
   */
  public static final String ENDS_WITH = "x-ends-with";

  /** Version of the payload's shape, a decimal integer. */
  public static final String MESSAGE_VERSION = "x-message-version";

  /** W3C trace context of the request that all this follows from. */
  public static final String TRACEPARENT = "traceparent";

  /** Of a message that was too large to be kept: how large it was. Never sent. */
  public static final String TRUNCATED = "x-onceflow-truncated";

  /** Of a stored message that its transport could make no sense of: why. Never sent. */
  public static final String FAULT = "x-onceflow-fault";

  private MessageHeaders() {}
}
