package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.operators.ActionForesight;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.VersionRollout;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.ServiceAnswer;
import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import io.onceflow.saga.internal.services.ServiceRequest;
import io.onceflow.saga.internal.store.failure.FailureReason;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Previews a repair: what the states of the sagas say, whether those in quarantine can be handled,
 * and whether the participants that have to answer can.
 */
@ApplicationScoped
class RepairPreview {

  /** A preview is waited for; what is not tried in that time is said. */
  private static final Duration TRIED_WITHIN = Duration.ofSeconds(2);

  private final UnitOfWork unitOfWork;
  private final SagaRunners sagas;
  private final ActionForesight foresight;
  private final Function<String, Map<String, ServiceAnswer>> participants;
  private final ObjectMapper json;

  /** Rolls a trial back. */
  private static final class TrialEnded extends RuntimeException {

    private static final long serialVersionUID = 1;

    TrialEnded() {
      super(null, null, false, false);
    }
  }

  @Inject
  RepairPreview(
      UnitOfWork unitOfWork, SagaRunners sagas, OtherServices services, ObjectMapper json) {
    this(
        unitOfWork,
        sagas,
        token -> services.askAll(ServiceRequest.get("/participant"), token),
        json);
  }

  /**
   * With participants of a test.
   *
   * @param participants their answers to what they do, by their names, for a caller's token
   */
  RepairPreview(
      UnitOfWork unitOfWork,
      SagaRunners sagas,
      Function<String, Map<String, ServiceAnswer>> participants,
      ObjectMapper json) {
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.sagas = sagas;
    this.foresight = new ActionForesight(sagas);
    this.participants = participants;
    this.json = json;
  }

  /**
   * Looks ahead.
   *
   * @param token of the caller, with which the participants are asked
   */
  RepairForecast of(NewRepair repair, SagaFilter filter, byte[] hash, String token)
      throws SQLException {
    Foreseen foreseen = foreseen(repair, filter);
    List<String> warnings = new ArrayList<>();
    Map<UUID, String> failed = tried(foreseen.quarantined(), repair.action(), warnings);
    if (!foreseen.awaited().isEmpty()) {
      warn(foreseen.awaited(), participants.apply(token), warnings);
    }
    return RepairForecast.of(foreseen, failed, warnings, hash);
  }

  /** The first of the sagas that allow it. */
  List<UUID> allowed(NewRepair repair, SagaFilter filter, int most) throws SQLException {
    return foreseen(repair, filter).allowed(most);
  }

  private Foreseen foreseen(NewRepair repair, SagaFilter filter) throws SQLException {
    return unitOfWork.call(tx -> Foreseen.read(tx, foresight, sagas.replyPolicy(), repair, filter));
  }

  /**
   * Requires that every living replica knows the version to which sagas are to be migrated.
   *
   * @throws io.quarkiverse.resteasy.problem.HttpProblem where one does not
   */
  void expectRolledOut(String definition, int version) throws SQLException {
    unitOfWork.run(tx -> VersionRollout.expectEverywhere(tx, sagas, definition, version));
  }

  /** Why they fail: each is asked in a transaction that is rolled back. */
  private Map<UUID, String> tried(
      List<UUID> quarantined, SagaDetails.Kind action, List<String> warnings) throws SQLException {
    long until = System.nanoTime() + TRIED_WITHIN.toNanos();
    Map<UUID, String> failed = new LinkedHashMap<>();
    int tried = 0;
    for (UUID saga : quarantined) {
      if (System.nanoTime() - until > 0) {
        break;
      }
      tried++;
      String why = failure(saga, action);
      if (why != null) {
        failed.put(saga, why);
      }
    }
    if (tried < quarantined.size()) {
      warnings.add(
          "%s of the sagas in quarantine were not tried, which takes too long; they may fail."
              .formatted(quarantined.size() - tried));
    }
    return failed;
  }

  private @Nullable String failure(UUID saga, SagaDetails.Kind action) throws SQLException {
    try {
      unitOfWork.run(
          tx -> {
            action.carryOut(tx, sagas, saga, new SagaDetails.Asked("preview", null));
            throw new TrialEnded();
          });
      return null;
    } catch (TrialEnded e) {
      return null;
    } catch (SagaFailed e) {
      return "handling it failed: " + FailureReason.of(e.getCause());
    }
  }

  private void warn(
      Map<String, Integer> awaited, Map<String, ServiceAnswer> answers, List<String> warnings) {
    awaited.forEach(
        (participant, waiting) -> {
          String state = state(answers.get(participant));
          if (state != null) {
            warnings.add(
                "%s is %s; sagas that wait for it: %s. They are sent their commands again, and are not repaired before it answers."
                    .formatted(participant, state, waiting));
          }
        });
  }

  /** Why it does not answer; null where it does, or that is not known. */
  private @Nullable String state(@Nullable ServiceAnswer answer) {
    return switch (answer) {
      case Unanswered none -> "unreachable (%s)".formatted(none.why().replaceFirst("\\.$", ""));
      case Answered told when told.isOk() && isPaused(told.body()) -> "paused by an operator";
      case null, default -> null;
    };
  }

  private boolean isPaused(String participant) {
    try {
      return json.readTree(participant).path("paused").asBoolean();
    } catch (JsonProcessingException e) {
      return false;
    }
  }
}
