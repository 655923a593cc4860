package io.onceflow.quarkus.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.HttpRedriveCheck;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.InboxQueues;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Parking;
import io.onceflow.inbox.Participant;
import io.onceflow.inbox.RedriveService;
import io.onceflow.inbox.StrictJson;
import io.onceflow.outbox.JtaUnitOfWork;
import io.onceflow.outbox.UnitOfWork;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The participant that the application's handler methods make up, and what goes with it. */
@Singleton
class ParticipantBeans {

  @Produces
  @Singleton
  Participant<Object> participant(
      OnceflowModel model,
      UnitOfWork unitOfWork,
      JtaUnitOfWork jta,
      Parking parking,
      InboxConfig config,
      ObjectMapper json,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.application.name") String name) {
    ObjectMapper strict = StrictJson.of(json);
    HandlerBeans beans = HandlerBeans.of(model, strict);
    return new Participant<>(
        new Participant.Environment(
            name,
            beans.hasEntities() ? jta : unitOfWork,
            parking,
            config,
            strict,
            Clock.systemUTC(),
            metrics),
        beans.rows(),
        beans.handlers());
  }

  /** Has what was parked carried out by the same participant as what arrives. */
  @Produces
  @Singleton
  @DefaultBean
  RedriveService redriving(
      Participant<Object> participant,
      InboxQueues queues,
      ParkedMessages parked,
      HttpRedriveCheck sagas,
      InboxConfig config) {
    return new RedriveService(queues, parked, sagas.onBehalfOf(participant), config);
  }
}
