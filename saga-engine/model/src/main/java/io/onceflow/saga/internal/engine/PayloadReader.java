package io.onceflow.saga.internal.engine;

/** Reads the payload of an event. */
@FunctionalInterface
public interface PayloadReader {

  /**
   * The record that a JSON text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  <R extends Record> R read(String json, Class<R> type);
}
