package io.onceflow.inbox.internal.consumer;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link BatchConsumer} settles: a message, or the result of the call that one has led to.
 */
public interface BatchItem {

  /** The message; null where the transport does not wait for an acknowledgement. */
  @Nullable Delivery delivery();
}
