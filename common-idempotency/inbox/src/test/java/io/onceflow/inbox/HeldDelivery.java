package io.onceflow.inbox;

import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A delivery that its broker keeps for as long as a call takes. */
public final class HeldDelivery implements Delivery.Receipt {

  private final AtomicInteger acknowledged = new AtomicInteger();
  private volatile boolean isHeld;

  /** The same message, from this broker. */
  public Delivery of(Delivery message) {
    return new Delivery(
        message.queue(),
        message.messageId(),
        message.type(),
        message.correlationId(),
        message.replyTo(),
        message.headers(),
        message.body(),
        this);
  }

  int acknowledged() {
    return acknowledged.get();
  }

  @Override
  public Runnable note() {
    return acknowledged::incrementAndGet;
  }

  @Override
  public boolean mayBeHeld(Set<Object> promised) {
    return true;
  }

  @Override
  public Runnable hold() {
    isHeld = true;
    return () -> {};
  }

  @Override
  public boolean isHeld() {
    return isHeld;
  }
}
