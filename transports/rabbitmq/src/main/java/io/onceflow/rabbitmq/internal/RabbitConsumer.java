package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.Connection;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Consumes a queue of RabbitMQ with the native client, for as long as it is not closed. It looks
 * for the queue, opens its own connection, and hands messages on in their order as they come; packs
 * are opened.
 *
 * <pre>{@code
 * BatchConsumer intake = new BatchConsumer(QUEUE.name(), config.batchSize(), participant);
 * RabbitConsumer consumer = new RabbitConsumer(broker, QUEUE, consumerConfig, intake);
 * }</pre>
 */
public final class RabbitConsumer implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(RabbitConsumer.class);

  private static final int CLOSE_TIMEOUT_MS = 1_000;

  private final ConsumerLoop loop;

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
    this.loop =
        new ConsumerLoop(queue.name(), () -> open(broker, queue, config, sink), broker, onEnd);
  }

  /** No more than there is memory for, if each is as large as is allowed. */
  public static int prefetch(ConsumerConfig config) {
    long fits = config.memory() / Math.max(1, config.maxMessageSize());
    return Math.clamp(fits, 1, config.prefetch());
  }

  private static ConsumerLoop.Consumption open(
      BrokerConnection broker, RabbitQueue queue, ConsumerConfig config, Consumer<Delivery> sink)
      throws IOException {
    Connection connection = broker.connect("onceflow " + queue.name());
    try {
      ChannelConsumer now =
          ChannelConsumer.begin(connection, queue, broker.topology(), config, sink);
      LOG.infof(
          "messages of %s come in from %s:%d",
          queue.name(), connection.getAddress().getHostName(), connection.getPort());
      return new NativeConsumption(connection, now);
    } catch (IOException | RuntimeException e) {
      connection.abort(CLOSE_TIMEOUT_MS);
      throw e;
    }
  }

  private record NativeConsumption(Connection connection, ChannelConsumer consumer)
      implements ConsumerLoop.Consumption {

    @Override
    public boolean isOpen() {
      return consumer.isOpen();
    }

    @Override
    public void cancel(Duration atMost) throws IOException {
      consumer.cancel(atMost);
    }

    @Override
    public String awaitEnd() throws InterruptedException {
      return consumer.awaitEnd();
    }

    @Override
    public void close() {
      connection.abort(CLOSE_TIMEOUT_MS);
    }
  }

  /** Begins to consume as soon as the broker lets it; returns at once. */
  public void start() {
    loop.start();
  }

  /** True while messages can come in. */
  public boolean isOpen() {
    return loop.isOpen();
  }

  /**
   * Takes no more messages; what has come can still be acknowledged, until {@link #close}. So that
   * nothing comes twice, a process that stops cancels, then finishes its {@link BatchConsumer},
   * then closes.
   */
  public void cancel() {
    loop.cancel();
  }

  /**
   * Ends; what is not acknowledged by then goes to the queue's next consumer. Finish the intake
   * first, so that it can acknowledge what it has settled.
   */
  @Override
  public void close() {
    loop.close();
  }
}
