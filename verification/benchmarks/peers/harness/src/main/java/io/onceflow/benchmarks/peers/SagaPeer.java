package io.onceflow.benchmarks.peers;

/** A product whose sagas are started from within its clients' JVM. */
@FunctionalInterface
public interface SagaPeer {

  /** Starts the saga of an order and returns when it has ended. Many threads call it at once. */
  Ending run(PeerOrder order) throws Exception;
}
