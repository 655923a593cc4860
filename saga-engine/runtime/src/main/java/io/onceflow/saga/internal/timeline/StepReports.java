package io.onceflow.saga.internal.timeline;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.inbox.internal.HandledStep;
import io.onceflow.inbox.internal.HandledSteps;
import io.onceflow.inbox.internal.HandledSteps.Owner;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.ServiceAnswer;
import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import io.onceflow.saga.internal.services.ServiceRequest;
import io.onceflow.saga.internal.store.SagaOrigin;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Asks the application's own inbox, and then all other services, what they know of a saga. */
@ApplicationScoped
class StepReports {

  private static final String PATH = "/participant/steps";

  private final HandledSteps own;
  private final OtherServices others;
  private final ObjectMapper json;
  private final ObjectReader answers;
  private final String self;

  /** As {@code POST /participant/steps} answers. */
  private record Answer(List<HandledStep> steps) {}

  StepReports(
      HandledSteps own,
      OtherServices others,
      ObjectMapper json,
      @ConfigProperty(name = "quarkus.application.name") String self) {
    this.own = own;
    this.others = others;
    this.json = json;
    // A newer release may say more.
    this.answers = json.readerFor(Answer.class).without(FAIL_ON_UNKNOWN_PROPERTIES);
    this.self = self;
  }

  /** The application's name. */
  String self() {
    return self;
  }

  /**
   * What all of them know; the application itself first.
   *
   * @param names of steps and compensations
   * @param token of the caller, with which the others are asked
   */
  List<StepReport> of(SagaOrigin saga, List<String> names, String token) throws SQLException {
    if (names.isEmpty()) {
      return List.of();
    }
    Owner owner = new Owner(saga.scope(), new IdempotencyKey(saga.rootKey()), saga.origin());
    List<StepReport> reports = new ArrayList<>();
    reports.add(StepReport.of(self, own.find(owner, names)));
    others
        .askAll(ServiceRequest.query(PATH, question(owner, names)), token)
        .forEach((service, answer) -> reports.add(report(service, answer)));
    return reports;
  }

  private String question(Owner owner, List<String> names) {
    try {
      return json.writeValueAsString(
          Map.of(
              "scope", owner.scope(),
              "rootKey", owner.rootKey().value(),
              "origin", owner.origin(),
              "steps", names));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts are always JSON", e);
    }
  }

  private StepReport report(String service, ServiceAnswer answer) {
    return switch (answer) {
      case Unanswered none -> StepReport.missing(service, none.why());
      case Answered said when said.isOk() -> read(service, said.body());
      case Answered refused -> StepReport.missing(service, why(refused.status()));
    };
  }

  private StepReport read(String service, String body) {
    try {
      @Nullable Answer answer = answers.readValue(body);
      if (answer != null && answer.steps() != null) {
        return StepReport.of(service, answer.steps());
      }
    } catch (JsonProcessingException e) {
      // Told below, without the text: it may be anybody's.
    }
    return StepReport.missing(service, "What it answered are no steps.");
  }

  private static String why(int status) {
    return switch (status) {
      case 401, 403 -> "It refused the token of the caller, with status %s.".formatted(status);
      case 404, 405 ->
          "It does not know %s, with status %s: it may run an older release."
              .formatted(PATH, status);
      default -> "It answered with status %s.".formatted(status);
    };
  }
}
