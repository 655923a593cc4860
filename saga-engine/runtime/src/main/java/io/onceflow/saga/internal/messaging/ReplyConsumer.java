package io.onceflow.saga.internal.messaging;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunners;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Takes replies from the queue and delivers each to its saga once, many in one transaction. The
 * application's lifecycle starts and stops it.
 */
@ApplicationScoped
public class ReplyConsumer {

  private final InboxQueues queues;
  private final BatchConsumer consumer;
  private final MessageSource.Subscription subscription;
  private final Recovery recovery;

  ReplyConsumer(
      MessageSource source,
      ReplyReader replies,
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      Parking parking,
      ParkedMessages parked,
      InboxQueues queues,
      InboxConfig config,
      Clock clock,
      @ConfigProperty(name = "quarkus.application.name") String application) {
    MessageSource.Queue queue = MessageSource.Queue.ofReplies(application);
    BatchSettler settler =
        new IdempotentReceiver(
            sagas.transactions(unitOfWork), parking, new SagaReplies(replies, sagas, clock));
    queues.register(queue.name(), settler);
    this.queues = queues;
    this.consumer = new BatchConsumer(queue.name(), config.batchSize(), settler);
    this.subscription = source.subscribe(queue, consumer, settler);
    FailedMessages failed = new FailedMessages(queues, parked, config);
    this.recovery =
        new Recovery(config.recoveryInterval(), consumer::batches, () -> failed.tryAgain() > 0);
  }

  /** Records redriven messages in the same way as delivered ones. */
  @Produces
  @Singleton
  RedriveService redriving(ParkedMessages parked, EndedSagaCheck ended, InboxConfig config) {
    return new RedriveService(queues, parked, ended, config);
  }

  /** Starts the threads that settle replies; none is received yet. */
  public void start() {
    consumer.start();
    recovery.start();
  }

  /** Receives replies, once the commands that follow them can leave. */
  public void open() {
    subscription.start();
  }

  /**
   * In the order in which a reply passes them: replies that were accepted are finished before the
   * outbox closes.
   */
  public void stop() {
    subscription.cancel();
    consumer.finish();
    subscription.close();
    recovery.close();
  }
}
