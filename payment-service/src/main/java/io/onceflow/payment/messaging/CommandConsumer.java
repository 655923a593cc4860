package io.onceflow.payment.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.FailedMessages;
import io.onceflow.inbox.InboxCleanup;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.Intake;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Parking;
import io.onceflow.inbox.Participant;
import io.onceflow.inbox.Recovery;
import io.onceflow.inbox.Redriving;
import io.onceflow.inbox.SagasOverHttp;
import io.onceflow.inbox.StrictJson;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Relay;
import io.onceflow.outbox.UnitOfWork;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.payment.domain.RefundPayment;
import io.onceflow.payment.domain.ReturnPayment;
import io.onceflow.payment.gateway.GuardedGateway;
import io.onceflow.rabbitmq.BrokerConnection;
import io.onceflow.rabbitmq.ConsumerConfig;
import io.onceflow.rabbitmq.DeadLetters;
import io.onceflow.rabbitmq.RabbitConsumer;
import io.onceflow.rabbitmq.RabbitQueue;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Takes commands from the queue and has each carried out once, many in one transaction. */
@ApplicationScoped
class CommandConsumer {

  /** Commands whose routing key begins with payment. */
  private static final RabbitQueue QUEUE =
      new RabbitQueue("payment-service.commands", OutboxMessage.COMMANDS, "payment.#");

  private final Relay relay;
  private final InboxCleanup cleanup;
  private final Participant<Payment> participant;
  private final Intake intake;
  private final RabbitConsumer consumer;
  private final DeadLetters deadLetters;
  private final Recovery recovery;

  CommandConsumer(
      BrokerConnection broker,
      ConsumerConfig consumption,
      Relay relay,
      InboxCleanup cleanup,
      GuardedGateway gateway,
      UnitOfWork unitOfWork,
      Parking parking,
      ParkedMessages parked,
      InboxConfig config,
      ObjectMapper json,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.application.name") String name) {
    this.relay = relay;
    this.cleanup = cleanup;
    this.participant =
        new Participant<>(
            new Participant.Ground(
                name, unitOfWork, parking, config, StrictJson.of(json), Clock.systemUTC(), metrics),
            new PaymentTable(),
            List.of(
                new ProcessPayment(gateway),
                new RefundPayment(gateway),
                new ReturnPayment(gateway)));
    this.intake = new Intake(QUEUE.name(), config.batchSize(), participant);
    this.consumer = new RabbitConsumer(broker, QUEUE, consumption, intake);
    this.deadLetters = new DeadLetters(broker, QUEUE, consumption, participant);
    this.recovery =
        new Recovery(
            participant,
            new FailedMessages(participant, parked, config),
            config.recoveryInterval());
  }

  /** Has what was parked carried out by the same participant as what arrives. */
  @Produces
  @Singleton
  Redriving redriving(ParkedMessages parked, SagasOverHttp sagas, InboxConfig config) {
    return new Redriving(participant, parked, sagas.onBehalfOf(participant), config);
  }

  void start(@Observes StartupEvent started) {
    cleanup.start();
    participant.start();
    intake.start();
    recovery.start();
    relay.start();
    consumer.start();
    deadLetters.start();
  }

  /** In the order of a command's way: what has been taken on is finished before its exit closes. */
  void stop(@Observes ShutdownEvent stopping) {
    consumer.cancel();
    participant.handOver();
    intake.finish();
    consumer.close();
    deadLetters.close();
    recovery.close();
    participant.close();
    relay.stop();
    cleanup.stop();
  }
}
