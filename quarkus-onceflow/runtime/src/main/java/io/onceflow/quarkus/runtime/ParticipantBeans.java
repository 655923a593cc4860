package io.onceflow.quarkus.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.StrictJson;
import io.onceflow.inbox.internal.parking.HttpRedriveCheck;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.internal.database.DatabaseWatch;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
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
  Participant participant(
      OnceflowModel model,
      UnitOfWork unitOfWork,
      JtaUnitOfWork jta,
      DatabaseWatch database,
      Parking parking,
      InboxConfig config,
      ObjectMapper json,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.application.name") String name) {
    ObjectMapper strict = StrictJson.of(json);
    HandlerBeans beans = HandlerBeans.of(model, strict);
    return new Participant(
        new Participant.Environment(
            name,
            beans.needJta() ? jta : unitOfWork,
            parking,
            config,
            strict,
            Clock.systemUTC(),
            metrics,
            database::timesSetBack),
        beans.handlers());
  }

  /** Has what was parked carried out by the same participant as what arrives. */
  @Produces
  @Singleton
  @DefaultBean
  RedriveService redriving(
      Participant participant,
      InboxQueues queues,
      ParkedMessages parked,
      HttpRedriveCheck sagas,
      InboxConfig config) {
    return new RedriveService(queues, parked, sagas.onBehalfOf(participant), config);
  }
}
