package io.onceflow.quarkus.runtime;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.PendingGauge;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.inbox.internal.participant.WokenSteps;
import io.onceflow.inbox.internal.pause.PauseWatch;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands from the queue and has each carried out once, many in one transaction. While
 * operators have paused it, it takes none, and takes up none that failed: the queue is not consumed
 * at all, since messages that are held too long come back, and too often.
 */
final class CommandQueue implements PauseWatch.Intake {

  private final Participant participant;
  private final MessageSource source;
  private final MessageSource.Queue queue;
  private final BatchConsumer consumer;
  private final Recovery recovery;
  private final PauseWatch pause;

  /** Null while none is taken and none is in hand. */
  private MessageSource.@Nullable Subscription subscription;

  private boolean isOpen;
  private boolean isCancelled;

  CommandQueue(
      Participant participant,
      MessageSource source,
      MessageSource.Queue queue,
      InboxQueues queues,
      InboxConfig config,
      ParkedMessages parked,
      PauseWatch pause,
      PendingGauge pending,
      WokenSteps woken) {
    this.participant = participant;
    this.source = source;
    this.queue = queue;
    this.pause = pause;
    queues.register(queue.name(), participant);
    this.consumer = participant.consumer();
    Recovery.Turn steps = Recovery.of(participant);
    FailedMessages failed = new FailedMessages(queues, parked, config);
    this.recovery =
        new Recovery(
            config.recoveryInterval(),
            () -> consumer.batches() + woken.count(),
            () -> !pause.isPaused() && steps.take(),
            () -> !pause.isPaused() ? failed.tryAgain() > 0 : failed.rest(),
            () -> {
              pending.look();
              return false;
            });
  }

  void start() {
    participant.start();
    pause.prepare(this);
    recovery.start();
  }

  /** Takes commands, once their replies can leave, unless it is paused. */
  void open() {
    synchronized (this) {
      isOpen = true;
      if (subscription != null && !isCancelled) {
        subscription.start();
      }
    }
    pause.start();
  }

  /** What was not finished when it was paused comes again. */
  @Override
  public synchronized void take() {
    if (subscription != null && !isCancelled) {
      return;
    }
    endSubscription();
    MessageSource.Subscription next = source.subscribe(queue, consumer, participant);
    subscription = next;
    if (isOpen) {
      next.start();
    }
  }

  @Override
  public synchronized void rest() {
    if (subscription == null) {
      return;
    }
    if (!isCancelled) {
      isCancelled = true;
      subscription.cancel();
    }
    if (consumer.isIdle()) {
      endSubscription();
    }
  }

  private void endSubscription() {
    if (subscription != null) {
      subscription.close();
    }
    subscription = null;
    isCancelled = false;
  }

  /** In the order of a command's way: what has been taken on is finished before its exit closes. */
  void stop() {
    pause.stop();
    MessageSource.Subscription last = current();
    if (last != null) {
      last.cancel();
    }
    participant.release();
    recovery.close();
    participant.close();
    if (last != null) {
      // Not sooner: what is called out for is acknowledged with its result.
      last.close();
    }
  }

  private synchronized MessageSource.@Nullable Subscription current() {
    return subscription;
  }
}
