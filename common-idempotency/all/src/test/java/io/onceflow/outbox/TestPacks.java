package io.onceflow.outbox;

import java.util.List;

/** Packs for tests of other packages. */
public final class TestPacks {

  private TestPacks() {}

  /** As the relay packs them. */
  public static byte[] of(List<OutboxMessage> messages) {
    return Pack.encode(messages);
  }
}
