package io.onceflow.outbox;

import io.onceflow.outbox.internal.transport.MessageBundle;
import java.util.List;

/** Bundles for tests of other packages. */
public final class TestBundles {

  private TestBundles() {}

  /** As the relay bundles them. */
  public static byte[] of(List<OutboxMessage> messages) {
    return MessageBundle.encode(messages);
  }
}
