package io.onceflow.quarkus.runtime;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;

/** Takes commands from the queue and has each carried out once, many in one transaction. */
final class CommandQueue {

  private final Participant<Object> participant;
  private final BatchConsumer intake;
  private final MessageSource.Subscription subscription;
  private final Recovery recovery;

  CommandQueue(
      Participant<Object> participant,
      MessageSource source,
      MessageSource.Queue queue,
      InboxQueues queues,
      InboxConfig config,
      ParkedMessages parked) {
    this.participant = participant;
    queues.register(queue.name(), participant);
    this.intake = new BatchConsumer(queue.name(), config.batchSize(), participant);
    this.subscription = source.subscribe(queue, intake, participant);
    this.recovery =
        new Recovery(
            participant, new FailedMessages(queues, parked, config), config.recoveryInterval());
  }

  void start() {
    participant.start();
    intake.start();
    recovery.start();
  }

  /** Takes commands, once their replies can leave. */
  void open() {
    subscription.start();
  }

  /** In the order of a command's way: what has been taken on is finished before its exit closes. */
  void stop() {
    subscription.cancel();
    participant.handOver();
    intake.finish();
    subscription.close();
    recovery.close();
    participant.close();
  }
}
