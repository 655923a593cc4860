package io.onceflow.conformance;

/**
 * What the suite asks of a product: the adapter. Its sagas have the steps {@link SuiteStep#FIRST},
 * MIDDLE and LAST, each with a compensation; each step and compensation is one request to {@link
 * LedgerServer}. Where a product cannot do what a method asks, the method throws {@link
 * NotProvided}.
 */
public interface SagaProduct extends AutoCloseable {

  /** What a saga does beside its three steps. */
  enum Shape {
    /** Nothing. */
    STEPS,
    /** It waits for a message between the first step and the middle one. */
    WAITS_FOR_MESSAGE
  }

  /** The answer to a cancellation. */
  enum CancelAnswer {
    /** It is or will be compensated. */
    ACCEPTED,
    /** It stays as it is. */
    TOO_LATE
  }

  /** The name and version, for the table. */
  String name();

  /**
   * Starts a saga under a key, and returns when it is stored. A repeat with the same key is
   * answered, too.
   *
   * @return the product's id of the saga
   */
  String start(String key, Shape shape);

  /** Cancels a saga, such that what was done is undone. */
  CancelAnswer cancel(String key);

  /** How the product shows a saga, by its public API. */
  SeenSaga read(String key);

  /** Sends the message that a saga waits for; an id that is used again is the same message. */
  void send(String key, String messageId);

  /** What an operator does to have a failed saga completed once its cause is mended. */
  void repair(String key);

  /** Delivers all messages between the saga and its participants again, and in reverse order. */
  void redeliver(String key);

  /** Kills the process that runs sagas, as {@code kill -9} does, and starts it again. */
  void killAndRestart();

  /**
   * Brings in the second version of the saga, in the way that the product documents for sagas under
   * way; it has {@link SuiteStep#EXTRA} between the first step and the middle one.
   */
  void upgrade();

  @Override
  void close();
}
