package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.Connection;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Consumes a queue of RabbitMQ with the native client, for as long as it is not closed. It looks
 * for the queue, opens its own connection, and hands messages on in their order as they come; packs
 * are opened. When the broker goes away, closes the channel or cancels the consumer, it begins
 * again after a second, with another connection, until it is closed; what was not acknowledged is
 * delivered again.
 *
 * <pre>{@code
 * BatchConsumer intake = new BatchConsumer(QUEUE.name(), config.batchSize(), participant);
 * RabbitConsumer consumer = new RabbitConsumer(broker, QUEUE, consumerConfig, intake);
 * }</pre>
 */
public final class RabbitConsumer implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(RabbitConsumer.class);

  /** Short beside an outage, long beside what a refused connection costs either side. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
  private static final Duration CANCEL_WITHIN = Duration.ofSeconds(1);
  private static final int CLOSE_TIMEOUT_MS = 1_000;

  private final BrokerConnection broker;
  private final RabbitQueue queue;
  private final ConsumerConfig config;
  private final Consumer<Delivery> sink;
  private final Runnable onEnd;
  private final Thread thread;
  private volatile @Nullable ChannelConsumer current;
  private volatile boolean running = true;
  private boolean awaySaid;

  /**
   * @param broker opens the consumer's connection; the shared one is not used
   * @param sink takes each message without blocking, such as {@link BatchConsumer#accept}
   */
  public RabbitConsumer(
      BrokerConnection broker, RabbitQueue queue, ConsumerConfig config, Consumer<Delivery> sink) {
    this(broker, queue, config, sink, () -> {});
  }

  /**
   * @param consumer takes each message; what came by a connection that has ended is dropped there
   */
  public RabbitConsumer(
      BrokerConnection broker, RabbitQueue queue, ConsumerConfig config, BatchConsumer consumer) {
    this(broker, queue, config, consumer::accept, consumer::dropLost);
  }

  private RabbitConsumer(
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      Consumer<Delivery> sink,
      Runnable onEnd) {
    this.broker = broker;
    this.queue = queue;
    this.config = config;
    this.sink = sink;
    this.onEnd = onEnd;
    this.thread =
        Thread.ofPlatform().name("consumer-" + queue.name()).daemon().unstarted(this::run);
  }

  /** Begins to consume as soon as the broker lets it; returns at once. */
  public void start() {
    thread.start();
  }

  /** True while messages can come in. */
  public boolean isOpen() {
    ChannelConsumer now = current;
    return now != null && now.isOpen();
  }

  /**
   * Takes no more messages; what has come can still be acknowledged, until {@link #close}. So that
   * nothing comes twice, a process that stops cancels, then finishes its {@link BatchConsumer},
   * then closes.
   */
  public void cancel() {
    running = false;
    cancelCurrent();
    LOG.infof("no more messages of %s are taken", queue.name());
  }

  private void cancelCurrent() {
    ChannelConsumer now = current;
    if (now == null || !now.isOpen()) {
      return;
    }
    try {
      now.cancel(CANCEL_WITHIN);
    } catch (IOException | RuntimeException e) {
      LOG.debugf("%s is not cancelled, so it is closed: %s", queue.name(), e.getMessage());
    }
  }

  /**
   * Ends; what is not acknowledged by then goes to the queue's next consumer. Finish the intake
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
      LOG.debugf("%s is not consumed any more", queue.name());
    }
  }

  private void consume() throws InterruptedException {
    try {
      consumeUntilItEnds();
    } catch (IOException | RuntimeException e) {
      if (broker.refusal().isPresent()) {
        // The connection has said it.
        return;
      }
      sayAway(String.valueOf(e.getCause() == null ? e : e.getCause()));
    }
  }

  private void consumeUntilItEnds() throws IOException, InterruptedException {
    Connection connection = broker.connect("onceflow " + queue.name());
    try {
      ChannelConsumer now =
          ChannelConsumer.begin(connection, queue, broker.topology(), config, sink);
      current = now;
      if (!running) {
        cancelCurrent();
      }
      awaySaid = false;
      LOG.infof(
          "messages of %s come in from %s:%d",
          queue.name(), connection.getAddress().getHostName(), connection.getPort());
      sayAway(now.awaitEnd());
    } finally {
      connection.abort(CLOSE_TIMEOUT_MS);
      onEnd.run();
    }
  }

  private void sayAway(String why) {
    if (!awaySaid && running) {
      LOG.warnf("no messages of %s come in: %s; trying again until they do", queue.name(), why);
    }
    awaySaid = true;
  }
}
