package io.onceflow.rabbitmq.internal;

import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Consumes a queue for as long as it is not closed. When the broker becomes unavailable, closes the
 * channel or cancels the consumer, it starts again after a second, with another connection; what
 * was not acknowledged is delivered again.
 */
public final class ConsumerLoop implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(ConsumerLoop.class);

  /** Short beside an outage, long beside what a refused connection costs either side. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
  private static final Duration CANCEL_WITHIN = Duration.ofSeconds(1);

  private final String queue;
  private final Opener opener;
  private final BrokerConnection broker;
  private final Runnable onEnd;
  private final Thread thread;
  private volatile @Nullable QueueConsumer current;
  private volatile boolean running = true;
  private boolean awaySaid;

  @FunctionalInterface
  public interface Opener {

    /**
     * Opens a connection for it.
     *
     * @throws IOException when the broker is unavailable, refuses, or lacks the queue
     */
    QueueConsumer open() throws IOException;
  }

  /**
   * @param queue for logs and the thread's name
   * @param broker says whether it has refused, which it has logged
   * @param onEnd run when a connection has ended, however it did
   */
  public ConsumerLoop(String queue, Opener opener, BrokerConnection broker, Runnable onEnd) {
    this.queue = queue;
    this.opener = opener;
    this.broker = broker;
    this.onEnd = onEnd;
    this.thread = Thread.ofPlatform().name("consumer-" + queue).daemon().unstarted(this::run);
  }

  /** Starts to consume as soon as the broker lets it; returns at once. */
  public void start() {
    thread.start();
  }

  /** True while messages can come in. */
  public boolean isOpen() {
    QueueConsumer now = current;
    return now != null && now.isOpen();
  }

  /**
   * Takes no more messages; what has come can still be acknowledged, until {@link #close}. So that
   * nothing comes twice, a process that stops cancels, then finishes its {@code BatchConsumer},
   * then closes.
   */
  public void cancel() {
    running = false;
    cancelCurrent();
    LOG.infof("receives no more messages of %s", queue);
  }

  private void cancelCurrent() {
    QueueConsumer now = current;
    if (now == null || !now.isOpen()) {
      return;
    }
    try {
      now.cancel(CANCEL_WITHIN);
    } catch (IOException | RuntimeException e) {
      LOG.debugf("%s is not cancelled, so it is closed: %s", queue, e.getMessage());
    }
  }

  /**
   * Ends; what is not acknowledged by then goes to the queue's next consumer. Finish the consumer
   * first, so that it can acknowledge what it has settled.
   */
  @Override
  public void close() {
    running = false;
    thread.interrupt();
    try {
      thread.join(STOP_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (running) {
        consume();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      LOG.debugf("%s is not consumed any more", queue);
    }
  }

  private void consume() throws InterruptedException {
    try {
      consumeUntilItEnds();
    } catch (IOException | RuntimeException | Error e) {
      // An Error as well: without this thread nothing would take the queue's messages.
      if (broker.refusal().isPresent()) {
        // The connection has said it.
        return;
      }
      sayAway(String.valueOf(e.getCause() == null ? e : e.getCause()));
    }
  }

  private void consumeUntilItEnds() throws IOException, InterruptedException {
    try (QueueConsumer now = opener.open()) {
      current = now;
      if (!running) {
        cancelCurrent();
      }
      awaySaid = false;
      sayAway(now.awaitEnd());
    } finally {
      onEnd.run();
    }
  }

  private void sayAway(String why) {
    if (!awaySaid && running) {
      LOG.warnf("receives no messages of %s: %s; retrying", queue, why);
    }
    awaySaid = true;
  }
}
