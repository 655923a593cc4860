package io.onceflow.inbox.internal.consumer;

import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes a queue's messages as they arrive and has them settled, many in one transaction, together
 * with the results of calls that they have led to; acknowledges after the commit (rule 2). A
 * message that spoils its batch costs only itself: it is parked. While the database is unavailable
 * the messages are held; as none is acknowledged meanwhile, the broker stops sending at its
 * prefetch bound, so consumption pauses and resumes by itself.
 */
public final class BatchConsumer extends BatchWorker<BatchItem> {

  private static final Logger LOG = Logger.getLogger(BatchConsumer.class);

  private final String thread;
  private final int largestBatch;
  private final Settling settling;

  /** Settles results while this one is held up; made when that happens first. */
  private @Nullable BatchWorker<BatchItem> late;

  /** Asked before each batch whether it may be settled. */
  @FunctionalInterface
  public interface Gate {

    /**
     * Returns when it may.
     *
     * @throws SQLException when it may not for now: the batch is held, as while the database is
     *     unavailable
     */
    void pass() throws SQLException;
  }

  /**
   * @param name of the worker thread, such as the queue's
   * @param largestBatch messages to a transaction, at least 1
   * @param settler handles them
   */
  public BatchConsumer(String name, int largestBatch, BatchSettler settler) {
    this("inbox-" + name, largestBatch, new Settling(settler));
  }

  private BatchConsumer(String thread, int largestBatch, Settling settling) {
    super(thread, largestBatch, settling);
    this.thread = thread;
    this.largestBatch = largestBatch;
    this.settling = settling;
  }

  /** A result does not wait behind a message whose row is locked: its lease would end. */
  @Override
  public void accept(BatchItem item) {
    if (item instanceof Delivery || !isHeldUp()) {
      super.accept(item);
    } else {
      late().accept(item);
    }
  }

  private synchronized BatchWorker<BatchItem> late() {
    if (late == null) {
      late = new BatchWorker<>(thread + "-late", largestBatch, settling);
      late.start();
    }
    return late;
  }

  @Override
  public boolean isIdle() {
    return super.isIdle() && lateIfAny().map(BatchWorker::isIdle).orElse(true);
  }

  @Override
  public void finish() {
    lateIfAny().ifPresent(BatchWorker::finish);
    super.finish();
  }

  @Override
  public void close() {
    super.close();
    lateIfAny().ifPresent(BatchWorker::close);
  }

  private synchronized Optional<BatchWorker<BatchItem>> lateIfAny() {
    return Optional.ofNullable(late);
  }

  /** Asks before each batch from now on; nothing is asked by default. */
  public void askBeforeEachBatch(Gate asked) {
    settling.gate = asked;
  }

  /** Which messaging system delivers, by its name in OpenTelemetry's conventions, for spans. */
  public void deliveredBy(String system) {
    settling.system = system;
  }

  /** Settles batches of messages, and acknowledges them after the commit. */
  public static final class Settling implements BatchWorker.Work<BatchItem> {

    private final BatchSettler settler;
    private volatile Gate gate = () -> {};
    private volatile String system = "rabbitmq";

    public Settling(BatchSettler settler) {
      this.settler = settler;
    }

    @Override
    public void settle(List<BatchItem> batch) throws SQLException {
      gate.pass();
      List<Delivery> messages = messages(batch);
      for (Delivery delivery : messages) {
        if (delivery.isDeliveredTooOften()) {
          // The batch is settled one by one then, and this one is parked.
          throw new UnprocessableMessage(
              ParkingReason.DELIVERY_LIMIT,
              "%s times before it was delivered and not acknowledged"
                  .formatted(delivery.headers().get(Delivery.DELIVERY_COUNT)));
        }
      }
      List<BatchItem> results = results(batch);
      ProcessSpans.around(messages, system, all -> settler.settle(all, results));
    }

    private static List<Delivery> messages(List<BatchItem> batch) {
      return batch.stream().filter(Delivery.class::isInstance).map(Delivery.class::cast).toList();
    }

    private static List<BatchItem> results(List<BatchItem> batch) {
      return batch.stream().filter(item -> !(item instanceof Delivery)).toList();
    }

    @Override
    public void settled(List<BatchItem> batch) {
      Delivery.acknowledge(messages(batch));
      Delivery.release(
          results(batch).stream().map(BatchItem::delivery).filter(Objects::nonNull).toList());
    }

    /** Results together, since leases run: they need not wait for what a message waits for. */
    @Override
    public List<List<BatchItem>> parts(List<BatchItem> batch) {
      List<BatchItem> results = results(batch);
      if (results.isEmpty() || results.size() == batch.size()) {
        return BatchWorker.Work.super.parts(batch);
      }
      List<List<BatchItem>> parts = new ArrayList<>();
      parts.add(results);
      messages(batch).forEach(message -> parts.add(List.of(message)));
      return parts;
    }

    @Override
    public long sizeOf(BatchItem item) {
      return item instanceof Delivery delivery ? delivery.body().length : 0;
    }

    @Override
    public boolean isLost(BatchItem item) {
      return item instanceof Delivery delivery && delivery.isLost();
    }

    /** A step whose row is locked is resent meanwhile. */
    @Override
    public @Nullable Object ownerOf(BatchItem item) {
      return item instanceof Delivery delivery ? delivery.correlationId() : null;
    }

    @Override
    public void giveUp(BatchItem item, Throwable failure) throws SQLException {
      if (item instanceof Delivery delivery) {
        settler.park(delivery, reason(delivery, failure));
        delivery.acknowledge().run();
      } else {
        settler.giveUp(item, failure);
        settled(List.of(item));
      }
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
