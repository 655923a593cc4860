package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a queue by one channel, until the channel closes or the broker cancels it. It is
 * never resumed; another one follows.
 */
public abstract class QueueConsumer implements AutoCloseable {

  private final CompletableFuture<String> end = new CompletableFuture<>();
  protected final String queue;
  private final Duration checkInterval;
  private volatile boolean cancelled;

  /**
   * @param checkInterval at which the broker is asked whether messages wait that do not come
   */
  protected QueueConsumer(String queue, Duration checkInterval) {
    this.queue = queue;
    this.checkInterval = checkInterval;
  }

  /** What reads the channel; null before there is one. */
  protected abstract @Nullable DeliveryReader reader();

  /** Has the broker send no more; what was sent can still be acknowledged. */
  protected abstract void stop(Duration atMost) throws IOException;

  /** Closes the connection. */
  @Override
  public abstract void close();

  /** To be called for one delivery after the other, in the order of the queue. */
  protected final void read(Envelope envelope, BasicProperties properties, byte[] body) {
    DeliveryReader reader = reader();
    if (reader != null && !end.isDone()) {
      reader.read(envelope, properties, body).ifPresent(this::end);
    }
  }

  /** Nothing comes in any more. */
  protected final void end(String why) {
    end.complete(why);
  }

  /** The queue was deleted, or the node that served it is gone. */
  protected final void cancelledByBroker() {
    end("the broker cancelled the consumer of " + queue + ", as when a queue is deleted");
  }

  /** True while messages can come in. */
  final boolean isOpen() {
    return !end.isDone() && reader() != null;
  }

  /** Has the broker send no more, and waits a moment for its word. */
  final void cancel(Duration atMost) throws IOException {
    cancelled = true;
    stop(atMost);
  }

  /** Waits until nothing comes in any more and says why. */
  final String awaitEnd() throws InterruptedException {
    while (true) {
      try {
        return end.get(checkInterval.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        DeliveryReader reader = reader();
        if (!cancelled && reader != null) {
          reader.starved(checkInterval).ifPresent(this::end);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("it never ends in failure", e);
      }
    }
  }
}
