package io.onceflow.quarkus.runtime;

import io.onceflow.inbox.FailedMessages;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.Intake;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Participant;
import io.onceflow.inbox.Recovery;
import io.onceflow.rabbitmq.BrokerConnection;
import io.onceflow.rabbitmq.ConsumerConfig;
import io.onceflow.rabbitmq.DeadLetters;
import io.onceflow.rabbitmq.RabbitConsumer;
import io.onceflow.rabbitmq.RabbitQueue;

/** Takes commands from the queue and has each carried out once, many in one transaction. */
final class CommandQueue {

  private final Participant<Object> participant;
  private final Intake intake;
  private final RabbitConsumer consumer;
  private final DeadLetters deadLetters;
  private final Recovery recovery;

  CommandQueue(
      Participant<Object> participant,
      RabbitQueue queue,
      BrokerConnection broker,
      ConsumerConfig consumption,
      InboxConfig config,
      ParkedMessages parked) {
    this.participant = participant;
    this.intake = new Intake(queue.name(), config.batchSize(), participant);
    this.consumer = new RabbitConsumer(broker, queue, consumption, intake);
    this.deadLetters = new DeadLetters(broker, queue, consumption, participant);
    this.recovery =
        new Recovery(
            participant,
            new FailedMessages(participant, parked, config),
            config.recoveryInterval());
  }

  void start() {
    participant.start();
    intake.start();
    recovery.start();
  }

  /** Takes commands, once their replies can leave. */
  void open() {
    consumer.start();
    deadLetters.start();
  }

  /** In the order of a command's way: what has been taken on is finished before its exit closes. */
  void stop() {
    consumer.cancel();
    participant.handOver();
    intake.finish();
    consumer.close();
    deadLetters.close();
    recovery.close();
    participant.close();
  }
}
