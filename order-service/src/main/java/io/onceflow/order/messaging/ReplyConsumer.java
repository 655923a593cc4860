package io.onceflow.order.messaging;

import io.onceflow.inbox.BatchSettler;
import io.onceflow.inbox.EachOnce;
import io.onceflow.inbox.FailedMessages;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.inbox.InboxCleanup;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.Intake;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Parking;
import io.onceflow.inbox.Recovery;
import io.onceflow.inbox.Redriving;
import io.onceflow.order.saga.SagaRunners;
import io.onceflow.outbox.Relay;
import io.onceflow.outbox.Transaction;
import io.onceflow.outbox.UnitOfWork;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/**
 * Takes replies from the queue and delivers each to its saga once, many in one transaction, under
 * the order service's own step keys ({@code …:record-payment}).
 */
@ApplicationScoped
class ReplyConsumer {

  private static final String QUEUE = "order-service.replies";

  private final ReplyChannel channel;
  private final Replies replies;
  private final SagaRunners sagas;
  private final Relay relay;
  private final InboxCleanup cleanup;
  private final BatchSettler settler;
  private final Intake intake;
  private final Recovery recovery;

  ReplyConsumer(
      ReplyChannel channel,
      Replies replies,
      SagaRunners sagas,
      Relay relay,
      InboxCleanup cleanup,
      UnitOfWork unitOfWork,
      Parking parking,
      ParkedMessages parked,
      InboxConfig config) {
    this.channel = channel;
    this.replies = replies;
    this.sagas = sagas;
    this.relay = relay;
    this.cleanup = cleanup;
    this.settler = new EachOnce(unitOfWork, parking, replies::recordedAs, this::deliver);
    this.intake = new Intake(QUEUE, config.batchSize(), settler);
    this.recovery =
        new Recovery(new FailedMessages(settler, parked, config), config.recoveryInterval());
  }

  /** Has what was parked recorded as what arrives is. */
  @Produces
  @Singleton
  Redriving redriving(ParkedMessages parked, EndedSagas ended, InboxConfig config) {
    return new Redriving(settler, parked, ended, config);
  }

  void start(@Observes StartupEvent started) {
    cleanup.start();
    intake.start();
    recovery.start();
    relay.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    // Now the connector cancels even consumers of connections long gone, and would have it known.
    Infrastructure.setDroppedExceptionHandler(ofNoInterest -> {});
    intake.close();
    recovery.close();
    relay.stop();
    cleanup.stop();
  }

  /** Hands over at once; the message is acknowledged when its transaction has committed. */
  @Incoming("replies")
  @Acknowledgment(Acknowledgment.Strategy.MANUAL)
  CompletionStage<Void> receive(IncomingRabbitMQMessage<byte[]> message) {
    intake.accept(channel.delivery(QUEUE, message));
    return CompletableFuture.completedFuture(null);
  }

  private void deliver(Transaction tx, List<InboundMessage> fresh) throws SQLException {
    sagas.deliver(tx, fresh.stream().map(replies::read).toList());
  }
}
