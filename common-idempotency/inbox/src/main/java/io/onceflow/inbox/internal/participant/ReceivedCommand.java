package io.onceflow.inbox.internal.participant;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.inbox.internal.consumer.Delivery;

/**
 * A command with the delivery that brought it.
 *
 * @param <S> the business row
 */
record ReceivedCommand<S>(Delivery delivery, ResolvedCommand<?, S> command) {

  Fingerprint fingerprint() {
    return delivery.fingerprint();
  }
}
