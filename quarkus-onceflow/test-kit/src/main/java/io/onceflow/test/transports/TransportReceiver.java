package io.onceflow.test.transports;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An application that receives a queue's messages and keeps what it has settled. */
public final class TransportReceiver implements BatchSettler {

  /** The type of messages that only find out whether the queue is there. */
  static final String PROBE = "Probe";

  private static final String DATABASE_AWAY = "08006";

  private final List<Delivery> settled = new CopyOnWriteArrayList<>();
  private final List<Delivery> parked = new CopyOnWriteArrayList<>();
  private final BatchConsumer consumer;
  private final MessageSource.Subscription subscription;
  private volatile int mostToSettle = Integer.MAX_VALUE;
  private volatile boolean isReached;
  private boolean isStopped;

  TransportReceiver(MessageSource source, MessageSource.Queue queue) {
    consumer = new BatchConsumer(queue.name(), 16, this);
    subscription = source.subscribe(queue, consumer, this);
  }

  void start() {
    consumer.start();
    subscription.start();
  }

  /** Whether a probe has come. */
  boolean isReached() {
    return isReached;
  }

  /** From now on the database takes no more than so many messages in all. */
  public void settleAtMost(int count) {
    mostToSettle = count;
  }

  /** From now on the database takes everything again. */
  public void settleAll() {
    mostToSettle = Integer.MAX_VALUE;
  }

  /** What it has settled, in that order. */
  public List<Delivery> settled() {
    return settled;
  }

  /** Their payloads. */
  public List<String> payloads() {
    return settled.stream().map(TransportUnderTest::payload).toList();
  }

  /** What it was told to park. */
  public List<Delivery> parked() {
    return parked;
  }

  /** As a process ends in order: takes no more, settles what it has, closes. */
  public void finish() {
    if (!isStopped) {
      subscription.cancel();
      consumer.finish();
      subscription.close();
      isStopped = true;
    }
  }

  /** Ends without settling what it has. */
  public void stop() {
    if (!isStopped) {
      consumer.close();
      subscription.close();
      isStopped = true;
    }
  }

  @Override
  public void settle(List<Delivery> batch) throws SQLException {
    List<Delivery> commands = batch.stream().filter(one -> !PROBE.equals(one.type())).toList();
    if (settled.size() + commands.size() > mostToSettle) {
      throw new SQLException("the database is away", DATABASE_AWAY);
    }
    settled.addAll(commands);
    if (commands.size() < batch.size()) {
      isReached = true;
    }
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) {
    parked.add(delivery);
  }

  @Override
  public boolean redrive(Parked parked) {
    return false;
  }
}
