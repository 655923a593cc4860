package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Compensation;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what each action of an operator would come to, before it is done. */
public final class ActionForesight {

  private static final String NOBODY = "";

  private final SagaRunners sagas;

  public ActionForesight(SagaRunners sagas) {
    this.sagas = sagas;
  }

  /** All actions, for a saga as it stands. */
  List<SagaDetails.Action> of(Transaction tx, UUID id) throws SQLException {
    List<SagaDetails.Action> all = new ArrayList<>();
    for (SagaDetails.Kind kind : SagaDetails.Kind.values()) {
      all.add(of(tx, id, kind));
    }
    return all;
  }

  /** One action. */
  public SagaDetails.Action of(Transaction tx, UUID id, SagaDetails.Kind kind) throws SQLException {
    try {
      return answered(kind, sagas.foresee(tx, id, request(kind, NOBODY, null)));
    } catch (SagaFailed e) {
      return new SagaDetails.Action(kind, false, e.getMessage(), null);
    }
  }

  private SagaDetails.Action answered(SagaDetails.Kind kind, OperatorAnswer answer) {
    return switch (answer) {
      case OperatorAnswer.Done done ->
          new SagaDetails.Action(kind, true, null, comesTo(kind, done.saga()));
      case OperatorAnswer.Refused refused ->
          new SagaDetails.Action(kind, false, refused.why(), null);
      case OperatorAnswer.Unknown unknown ->
          new SagaDetails.Action(kind, false, "its version is not known to this process", null);
    };
  }

  /** The request that carries an action out. */
  public static SagaEvent.Request request(SagaDetails.Kind kind, String by, @Nullable String why) {
    return switch (kind) {
      case RETRY -> new SagaEvent.Retry(by, why);
      case COMPENSATE -> new SagaEvent.Compensate(by, why);
      case CANCEL -> new SagaEvent.Cancel("CANCELLED_BY_OPERATOR", by, why);
    };
  }

  private String comesTo(SagaDetails.Kind kind, SagaState saga) {
    return switch (kind) {
      case RETRY -> "Sends now, under the same keys as before: %s.".formatted(names(awaited(saga)));
      case COMPENSATE -> compensating(saga, false);
      case CANCEL -> compensating(saga, true);
    };
  }

  private String compensating(SagaState saga, boolean waits) {
    List<String> awaited = waits ? waitedFor(saga) : awaited(saga);
    String first =
        awaited.isEmpty()
            ? ""
            : waits
                ? "Waits for the answer to %s, then undoes".formatted(names(awaited))
                : "Gives up on %s at once and undoes".formatted(names(awaited));
    List<String> undone = compensations(saga);
    return "%s %s."
        .formatted(
            first.isEmpty() ? "Undoes" : first,
            undone.isEmpty() ? "nothing, since nothing has to be" : names(undone));
  }

  private static List<String> awaited(SagaState saga) {
    return saga.steps().stream().filter(StepState::isAwaited).map(StepState::name).toList();
  }

  /** Without those that wait for the world, which are given up on. */
  private static List<String> waitedFor(SagaState saga) {
    return saga.steps().stream()
        .filter(step -> step.isAwaited() && step.status() != StepStatus.AWAITING)
        .map(StepState::name)
        .toList();
  }

  /** In the order in which they are sent: the reverse of that of their steps. */
  private List<String> compensations(SagaState saga) {
    SagaDefinition<?> definition =
        sagas.definitions().stream()
            .filter(it -> it.name().equals(saga.definition()) && it.version() == saga.version())
            .findFirst()
            .orElseThrow();
    return saga.steps().reversed().stream()
        .filter(step -> mayHaveTakenEffect(step.status()))
        .flatMap(step -> compensation(definition.stepNamed(step.name())))
        .toList();
  }

  private static boolean mayHaveTakenEffect(StepStatus status) {
    return status == StepStatus.SUCCEEDED
        || status == StepStatus.WAITING
        || status == StepStatus.AWAITING
        || status == StepStatus.GIVEN_UP;
  }

  private static Stream<String> compensation(Step<?> step) {
    return step.compensation().map(Compensation::name).stream();
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? "nothing" : names.stream().collect(Collectors.joining(", "));
  }
}
