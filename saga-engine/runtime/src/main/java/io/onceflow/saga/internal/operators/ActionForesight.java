package io.onceflow.saga.internal.operators;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what each action of an operator would come to, before it is done. */
public final class ActionForesight {

  private static final SagaDetails.Asked UNNAMED = new SagaDetails.Asked("", null);

  private final SagaRunners sagas;

  public ActionForesight(SagaRunners sagas) {
    this.sagas = sagas;
  }

  /** All actions, for a saga as it was read. */
  List<SagaDetails.Action> of(StoredSaga saga) {
    return Stream.of(SagaDetails.Kind.values())
        .filter(kind -> kind != SagaDetails.Kind.MIGRATE)
        .map(kind -> of(saga, kind, UNNAMED))
        .toList();
  }

  /**
   * One action, for sagas as they stand, in their order; those that are gone are left out.
   *
   * @param version to which they are to be migrated; null for other actions
   */
  public Map<UUID, SagaDetails.Action> of(
      Transaction tx,
      List<UUID> ids,
      SagaDetails.Kind kind,
      @Nullable Integer version,
      Reader reader)
      throws SQLException {
    SagaDetails.Asked asked = new SagaDetails.Asked("", null, null, version);
    Map<UUID, SagaDetails.Action> all = new LinkedHashMap<>();
    try {
      Map<UUID, StoredSaga> read =
          sagas.read(tx, ids).stream()
              .collect(Collectors.toMap(saga -> saga.reached().id(), saga -> saga));
      read.values().forEach(reader::read);
      ids.stream()
          .filter(read::containsKey)
          .forEach(id -> all.put(id, of(requireNonNull(read.get(id)), kind, asked)));
    } catch (SagaFailed e) {
      if (ids.size() == 1) {
        reader.unreadable(ids.getFirst());
        return Map.of(ids.getFirst(), new SagaDetails.Action(kind, false, e.getMessage(), null));
      }
      // One of them cannot be read.
      int half = ids.size() / 2;
      all.putAll(of(tx, ids.subList(0, half), kind, version, reader));
      all.putAll(of(tx, ids.subList(half, ids.size()), kind, version, reader));
    }
    return all;
  }

  /** Is told of the sagas that an action is foreseen for. */
  public interface Reader {

    /** Of each that was read. */
    default void read(StoredSaga saga) {}

    /** Of those that cannot be read, which allow nothing. */
    default void unreadable(UUID saga) {}
  }

  private SagaDetails.Action of(StoredSaga saga, SagaDetails.Kind kind, SagaDetails.Asked asked) {
    OperatorAnswer answer = kind.foresee(sagas, saga, asked);
    return answer instanceof OperatorAnswer.Done done
        ? new SagaDetails.Action(kind, true, null, comesTo(kind, done.saga()))
        : new SagaDetails.Action(kind, false, answer.objection().orElse(null), null);
  }

  private String comesTo(SagaDetails.Kind kind, SagaState saga) {
    if (kind == SagaDetails.Kind.HOLD) {
      return "Sends nothing and fires no timer until it is resumed; replies are kept.";
    }
    if (kind == SagaDetails.Kind.RESUME) {
      return "Takes the replies that were kept; its timers continue where they stopped.";
    }
    if (kind == SagaDetails.Kind.MIGRATE) {
      return "Continues by version %s from where it stands%s."
          .formatted(saga.version(), skipped(saga));
    }
    return comesTo(kind, saga, sagas.followedBy(saga).orElseThrow());
  }

  /** What an action that the saga accepts comes to, in a sentence. */
  static String comesTo(SagaDetails.Kind kind, SagaState saga, SagaDefinition<?> definition) {
    return switch (kind) {
      case RETRY ->
          "Sends now, under the same keys as before: %s.%s"
              .formatted(list(sent(saga, definition)), lookedFor(saga, definition));
      case COMPENSATE ->
          compensating(
              "Ends %s at once and compensates",
              inStatus(saga, StepStatus.WAITING, StepStatus.AWAITING).stream()
                  .filter(step -> !isChild(step, definition))
                  .toList(),
              compensated(saga, definition));
      // What waits for an external event times out.
      case CANCEL ->
          compensating(
              "Waits for the answer to %s, then compensates",
              inStatus(saga, StepStatus.WAITING), compensated(saga, definition));
      case HOLD, RESUME, MIGRATE -> throw new IllegalArgumentException(kind + " moves no step");
    };
  }

  private static String skipped(SagaState saga) {
    List<String> skipped = inStatus(saga, StepStatus.SKIPPED);
    return skipped.isEmpty() ? "" : "; not taken: " + list(skipped);
  }

  private static String compensating(String first, List<String> awaited, List<String> undone) {
    return "%s %s."
        .formatted(
            awaited.isEmpty() ? "Compensates" : first.formatted(list(awaited)),
            undone.isEmpty() ? "nothing, since nothing has to be compensated" : list(undone));
  }

  /** The messages that are awaited: a step that is being undone waits for its compensation. */
  private static List<String> sent(SagaState saga, SagaDefinition<?> definition) {
    return saga.steps().stream()
        .filter(StepState::isAwaited)
        .filter(step -> definition.waitNamed(step.name()).isEmpty())
        .map(step -> sent(definition.stepNamed(step.name()), step.status()))
        .toList();
  }

  private static String lookedFor(SagaState saga, SagaDefinition<?> definition) {
    return definition.children().stream()
        .flatMap(child -> saga.step(child.name()).stream())
        .map(
            step ->
                switch (step.status()) {
                  case AWAITING ->
                      " Looks at once whether the saga has ended that %s started."
                          .formatted(step.name());
                  case COMPENSATING ->
                      " Tells the saga that %s has started at once to be undone."
                          .formatted(step.name());
                  default -> "";
                })
        .collect(joining());
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
        .flatMap(step -> compensated(step, definition).stream())
        .toList();
  }

  private static Optional<String> compensated(StepState step, SagaDefinition<?> definition) {
    return isChild(step.name(), definition)
        ? Optional.of("the saga that %s has started".formatted(step.name()))
        : definition
            .stepNamed(step.name())
            .compensation()
            .map(undo -> "%s with %s".formatted(step.name(), named(undo.name(), undo.command())));
  }

  private static boolean isChild(String step, SagaDefinition<?> definition) {
    return definition.waitNamed(step).flatMap(Wait::child).isPresent();
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
