package io.onceflow.conformance;

/** The adapter of a product for the JVM; {@link WorkerServer} passes the suite's requests to it. */
public interface SagaWorker {

  /** Returns the product's id of the saga when it is stored; a repeat gets the same one. */
  String start(String key, boolean waits) throws Exception;

  /** Returns whether it was accepted; if not, it is too late. */
  boolean cancel(String key) throws Exception;

  /** The saga as lines: {@code state=RUNNING}, {@code error=…}, {@code first=DONE}. */
  String read(String key) throws Exception;

  /** Sends the message that a saga waits for. */
  void send(String key, String messageId) throws Exception;

  /** What an operator does once the cause of a failure is mended. */
  void repair(String key) throws Exception;
}
