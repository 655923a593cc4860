package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
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
    SagaDefinition<?> definition =
        sagas.definitions().stream()
            .filter(it -> it.name().equals(saga.definition()) && it.version() == saga.version())
            .findFirst()
            .orElseThrow();
    return comesTo(kind, saga, definition);
  }

  /** What an action that the saga accepts comes to, in a sentence. */
  static String comesTo(SagaDetails.Kind kind, SagaState saga, SagaDefinition<?> definition) {
    return switch (kind) {
      case RETRY ->
          "Sends now, under the same keys as before: %s.".formatted(list(sent(saga, definition)));
      case COMPENSATE ->
          compensating(
              "Gives up on %s at once and compensates",
              inStatus(saga, StepStatus.WAITING, StepStatus.AWAITING),
              compensated(saga, definition));
      // What waits for the world is given up on.
      case CANCEL ->
          compensating(
              "Waits for the answer to %s, then compensates",
              inStatus(saga, StepStatus.WAITING), compensated(saga, definition));
    };
  }

  private static String compensating(String first, List<String> awaited, List<String> undone) {
    return "%s %s."
        .formatted(
            awaited.isEmpty() ? "Compensates" : first.formatted(list(awaited)),
            undone.isEmpty() ? "nothing, since nothing has to be undone" : list(undone));
  }

  /** The messages that are awaited: a step that is being undone waits for its compensation. */
  private static List<String> sent(SagaState saga, SagaDefinition<?> definition) {
    return saga.steps().stream()
        .filter(StepState::isAwaited)
        .map(step -> sent(definition.stepNamed(step.name()), step.status()))
        .toList();
  }

  private static String sent(Step<?> step, StepStatus status) {
    return status == StepStatus.COMPENSATING
        ? step.compensation().map(undo -> named(undo.name(), undo.command())).orElse(step.name())
        : step instanceof Step.Send<?> send ? named(step.name(), send.command()) : step.name();
  }

  /** With the command's type, where the definition tells it. */
  private static String named(String name, Object command) {
    return command instanceof RecordCommand<?, ?> it
        ? "%s (%s)".formatted(name, it.type().getSimpleName())
        : name;
  }

  /** Steps that may have taken effect, with what undoes them, in the order in which it is sent. */
  private static List<String> compensated(SagaState saga, SagaDefinition<?> definition) {
    return saga.steps().reversed().stream()
        .filter(step -> mayHaveTakenEffect(step.status()))
        .flatMap(
            step ->
                definition.stepNamed(step.name()).compensation().stream()
                    .map(
                        undo ->
                            "%s with %s"
                                .formatted(step.name(), named(undo.name(), undo.command()))))
        .toList();
  }

  private static boolean mayHaveTakenEffect(StepStatus status) {
    return status == StepStatus.SUCCEEDED
        || status == StepStatus.WAITING
        || status == StepStatus.AWAITING
        || status == StepStatus.GIVEN_UP;
  }

  private static List<String> inStatus(SagaState saga, StepStatus... statuses) {
    return saga.steps().stream()
        .filter(step -> Arrays.asList(statuses).contains(step.status()))
        .map(StepState::name)
        .toList();
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }
}
