package io.onceflow.simulation.broker;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A queue: hands each message to one of its consumers, and to another when that one dies before it
 * has acknowledged.
 */
public final class Queue {

  private final Kernel kernel;
  private final String name;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<Delivery> waiting = new ArrayList<>();
  private LongSupplier turn = () -> 0;
  private Consumer<Delivery> onAcknowledged = any -> {};
  private int epoch;
  private boolean leaking;

  private record Subscription(
      Node node, Consumer<Delivery> consumer, List<Delivery> unacknowledged) {}

  Queue(Kernel kernel, String name) {
    this.kernel = kernel;
    this.name = name;
  }

  /**
   * @param turn whose turn it is to be handed a message: any number
   * @param onAcknowledged told of each message that is acknowledged
   */
  public void watch(LongSupplier turn, Consumer<Delivery> onAcknowledged) {
    this.turn = turn;
    this.onAcknowledged = onAcknowledged;
  }

  /** Makes the queue lose every message that is published to it, or keep them again. */
  public void setLeaking(boolean leaking) {
    this.leaking = leaking;
    kernel.tell(name, () -> leaking ? "LOSES whatever comes from now on" : "keeps what comes");
  }

  /** Publishes a message to the queue; it is delivered after a while. */
  public void put(Delivery delivery, long delay) {
    if (leaking) {
      return;
    }
    int current = epoch;
    kernel.after(
        delay,
        () -> {
          if (current == epoch) {
            offer(delivery);
          }
        });
  }

  void purge() {
    epoch++;
    waiting.clear();
    subscriptions.forEach(subscription -> subscription.unacknowledged().clear());
  }

  /** Consumes for as long as the process lives. */
  public void subscribe(Node node, Consumer<Delivery> consumer) {
    Subscription subscription = new Subscription(node, consumer, new ArrayList<>());
    subscriptions.add(subscription);
    node.onDeath(() -> end(subscription));
    List<Delivery> kept = List.copyOf(waiting);
    waiting.clear();
    kept.forEach(this::offer);
  }

  private void end(Subscription subscription) {
    subscriptions.remove(subscription);
    List<Delivery> left = List.copyOf(subscription.unacknowledged());
    left.forEach(
        delivery -> {
          kernel.reach(Coverage.REDELIVERED);
          kernel.tell(name, () -> "REDELIVERS " + delivery);
          offer(delivery);
        });
  }

  private void offer(Delivery delivery) {
    if (subscriptions.isEmpty()) {
      waiting.add(delivery);
      return;
    }
    Subscription next = subscriptions.get((int) (turn.getAsLong() % subscriptions.size()));
    next.unacknowledged().add(delivery);
    kernel.tell(name, () -> "delivers " + delivery + " to " + next.node());
    next.consumer()
        .accept(
            new Delivery(
                delivery.queue(),
                delivery.messageId(),
                delivery.type(),
                delivery.correlationId(),
                delivery.replyTo(),
                delivery.headers(),
                delivery.body(),
                new Receipt(next, delivery)));
  }

  /** Of a message that stays with the broker for as long as a call takes. */
  private final class Receipt implements Delivery.Receipt {

    private final Subscription subscription;
    private final Delivery delivery;
    private boolean isHeld;

    Receipt(Subscription subscription, Delivery delivery) {
      this.subscription = subscription;
      this.delivery = delivery;
    }

    @Override
    public Runnable note() {
      acknowledge(subscription, delivery);
      return () -> {};
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

  private void acknowledge(Subscription subscription, Delivery delivery) {
    if (subscription.node().isUp()) {
      subscription.unacknowledged().remove(delivery);
      onAcknowledged.accept(delivery);
    }
  }
}
