package io.onceflow.inbox.internal.consumer;

import io.onceflow.inbox.internal.parking.ParkingReason;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Takes a queue's messages as they arrive and has them settled, many in one transaction;
 * acknowledges after the commit (rule 2). A message that spoils its batch costs only itself: it is
 * parked. While the database is away the messages are held; as none is acknowledged meanwhile, the
 * broker stops sending at its prefetch bound, so consumption pauses and resumes by itself.
 */
public final class BatchConsumer implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(BatchConsumer.class);

  /** A few batches; what is left goes to another replica as soon as the consumer closes. */
  private static final Duration FINISH_WITHIN = Duration.ofSeconds(2);

  private final BatchWorker<Delivery> worker;
  private volatile Gate gate = () -> {};

  /** Asked before each batch whether it may be settled. */
  @FunctionalInterface
  public interface Gate {

    /**
     * Returns when it may.
     *
     * @throws SQLException when it may not for now: the batch is held, as while the database is
     *     away
     */
    void pass() throws SQLException;
  }

  /**
   * @param name of the worker thread, such as the queue's
   * @param largestBatch messages to a transaction, at least 1
   * @param settler what is done with them
   */
  public BatchConsumer(String name, int largestBatch, BatchSettler settler) {
    this.worker =
        new BatchWorker<>("intake-" + name, largestBatch, new Settling(settler, () -> gate.pass()));
  }

  /** Asks before each batch from now on; nothing is asked by default. */
  public void askBeforeEachBatch(Gate asked) {
    gate = asked;
  }

  /** Begins to settle what {@link #accept} was given and will be given. */
  public void start() {
    worker.start();
  }

  /**
   * Takes a message over without blocking. The transport's prefetch bounds how many lie here, since
   * none is acknowledged before it is settled; what came by a channel that has closed comes again,
   * see {@link #dropLost()}.
   */
  public void accept(Delivery delivery) {
    worker.accept(delivery);
  }

  /**
   * Drops what came by a channel that has closed. To be called when a connection has ended: while
   * the database is away nothing is settled, and every connection brings all of it again.
   */
  public void dropLost() {
    worker.dropLost();
  }

  /** How many messages wait. */
  int size() {
    return worker.size();
  }

  /**
   * Settles what has arrived, as far as that goes in a moment, and closes. Have the consumer take
   * no more first.
   */
  public void finish() {
    worker.finish(FINISH_WITHIN);
  }

  /** Finishes the batch at hand; what was not settled stays unacknowledged and is redelivered. */
  @Override
  public void close() {
    worker.close();
  }

  public record Settling(BatchSettler settler, Gate gate) implements BatchWorker.Work<Delivery> {

    @Override
    public void settle(List<Delivery> batch) throws SQLException {
      gate.pass();
      ProcessSpans.around(batch, settler::settle);
    }

    @Override
    public void settled(List<Delivery> batch) {
      Delivery.acknowledge(batch);
    }

    @Override
    public boolean isLost(Delivery delivery) {
      return delivery.isLost();
    }

    @Override
    public void giveUp(Delivery delivery, Throwable failure) throws SQLException {
      settler.park(delivery, reason(delivery, failure));
      delivery.acknowledge().run();
    }

    private static UnprocessableMessage reason(Delivery delivery, Throwable failure) {
      if (failure instanceof UnprocessableMessage why) {
        return why;
      }
      delivery.about().run(() -> LOG.errorf(failure, "handling %s failed", delivery));
      return new UnprocessableMessage(ParkingReason.HANDLING_FAILED, failure.toString());
    }
  }
}
