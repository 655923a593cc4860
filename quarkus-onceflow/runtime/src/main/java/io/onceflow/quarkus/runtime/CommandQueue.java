package io.onceflow.quarkus.runtime;

import io.onceflow.inbox.BatchConsumer;
import io.onceflow.inbox.FailedMessages;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.InboxQueues;
import io.onceflow.inbox.MessageSource;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Participant;
import io.onceflow.inbox.Recovery;

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
