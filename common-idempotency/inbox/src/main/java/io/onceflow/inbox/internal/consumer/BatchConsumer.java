package io.onceflow.inbox.internal.consumer;

import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.UnprocessableMessage;
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
public final class BatchConsumer extends BatchWorker<Delivery> {

  private static final Logger LOG = Logger.getLogger(BatchConsumer.class);

  /** A few batches; what is left goes to another replica as soon as the consumer closes. */
  private static final Duration FINISH_WITHIN = Duration.ofSeconds(2);

  private final Settling settling;

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
   * @param settler handles them
   */
  public BatchConsumer(String name, int largestBatch, BatchSettler settler) {
    this("intake-" + name, largestBatch, new Settling(settler));
  }

  private BatchConsumer(String thread, int largestBatch, Settling settling) {
    super(thread, largestBatch, settling);
    this.settling = settling;
  }

  /** Asks before each batch from now on; nothing is asked by default. */
  public void askBeforeEachBatch(Gate asked) {
    settling.gate = asked;
  }

  /** Which messaging system delivers, by its name in OpenTelemetry's conventions, for spans. */
  public void deliveredBy(String system) {
    settling.system = system;
  }

  /**
   * Settles what has arrived, as far as that goes in a moment, and closes. The transport must
   * deliver no more by then. What is not settled stays unacknowledged and is redelivered.
   */
  @Override
  public void finish() {
    finish(FINISH_WITHIN);
  }

  /** Settles batches of messages, and acknowledges them after the commit. */
  public static final class Settling implements BatchWorker.Work<Delivery> {

    private final BatchSettler settler;
    private volatile Gate gate = () -> {};
    private volatile String system = "rabbitmq";

    public Settling(BatchSettler settler) {
      this.settler = settler;
    }

    @Override
    public void settle(List<Delivery> batch) throws SQLException {
      gate.pass();
      for (Delivery delivery : batch) {
        if (delivery.isDeliveredTooOften()) {
          // The batch is settled one by one then, and this one is parked.
          throw new UnprocessableMessage(
              ParkingReason.DELIVERY_LIMIT,
              "%s times before it was delivered and not acknowledged"
                  .formatted(delivery.headers().get(Delivery.DELIVERY_COUNT)));
        }
      }
      ProcessSpans.around(batch, system, settler::settle);
    }

    @Override
    public void settled(List<Delivery> batch) {
      Delivery.acknowledge(batch);
    }

    @Override
    public long sizeOf(Delivery delivery) {
      return delivery.body().length;
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
