package io.onceflow.conformance;

/**
 * What the suite needs from a product; {@link ProcessAdapter} does it by HTTP. A method throws
 * {@link ScenarioResult.Skipped} where the product has no such function.
 */
interface SagaAdapter extends AutoCloseable {

  /**
   * Starts a saga and returns its id once it is stored. A repeat under the same key, during the
   * saga or after it, returns the same id.
   *
   * @param key a UUID
   * @param waits whether it waits for a message between the first step and the middle one
   */
  String start(String key, boolean waits);

  /** Cancels a saga; returns whether it will be compensated, and false if it is too late. */
  boolean cancel(String key);

  /** Shows a saga, as the product's public API does. */
  SagaSnapshot read(String key);

  /** Sends the message that a saga waits for; the same id is the same message. */
  void send(String key, String messageId);

  /** Does what an operator does about a failed saga once the cause is repaired. */
  void repair(String key);

  /** Delivers all messages of a saga and its participants once more, in reverse order. */
  void redeliver(String key);

  /** Kills the process that runs sagas, as {@code kill -9} does, and starts it again. */
  void killAndRestart();

  /**
   * Replaces the saga by its second version, in the way that the product documents for sagas in
   * progress.
   */
  void upgrade();

  @Override
  void close();
}
