package io.onceflow.saga.internal.store;

import io.onceflow.saga.Journey;

/** Payloads as plain text. */
public final class TextPayloads implements LockedSaga.Payloads {

  @Override
  public String write(Object payload) {
    return String.valueOf(payload);
  }

  @Override
  public <R extends Record> R read(String text, Class<R> type) {
    return Journey.news(text, type);
  }
}
