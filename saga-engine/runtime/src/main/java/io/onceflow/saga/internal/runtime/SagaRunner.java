package io.onceflow.saga.internal.runtime;

import io.onceflow.inbox.internal.consumer.FailureKind;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.SagaBatch;
import io.onceflow.saga.internal.store.SagaProcessor;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.failure.FailurePolicy;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaView;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sagas of one definition, for code that is the same for all definitions: replies, timers,
 * operators.
 */
public abstract class SagaRunner {

  /** Together with a definition's name it is an origin, of which participants keep 255 bytes. */
  private static final String APPLICATION = "[!-9;-~]{1,190}";

  private final Clock clock;
  private final RetryPolicy patience;
  private final FailurePolicy failures;
  private final String application;
  private final Map<String, Integer> startVersions;

  SagaRunner(RunnerDependencies dependencies) {
    SagaConfig config = dependencies.config();
    this.clock = dependencies.clock();
    this.patience = config.retryPolicy();
    this.failures = config.failurePolicy();
    this.application = config.useOrigins() ? sendable(dependencies.application()) : "";
    this.startVersions = config.startVersion();
  }

  private static String sendable(String application) {
    if (!application.matches(APPLICATION)) {
      throw new IllegalStateException(
          "quarkus.application.name is \"%s\", which does not match %s; it travels with every"
                  .formatted(application, APPLICATION)
              + " command as the beginning of the saga's origin, so rename the application");
    }
    return application;
  }

  /** Whether the subjects are written by a persistence context, which commits by JTA. */
  abstract boolean needsJta();

  /** Whether these are the sagas of a class. */
  abstract boolean runs(Class<?> type);

  /** The definition in every version that sagas may still follow. */
  abstract List<? extends SagaDefinition<?>> versions();

  /** The definition's name, such as {@code place-order}. */
  public String definition() {
    return versions().getFirst().name();
  }

  /** The replies that sagas of this definition take, by AMQP type; others may take them as well. */
  Map<String, Class<?>> replies() {
    Map<String, Class<?>> all = new HashMap<>();
    versions().forEach(version -> all.putAll(version.replies()));
    return all;
  }

  /** The engine's shell, at work in this transaction. */
  abstract SagaProcessor<?> sagas(Transaction tx);

  /** Business time. */
  Instant now() {
    return clock.instant();
  }

  /** How patiently these sagas send again. */
  RetryPolicy patience() {
    return patience;
  }

  /** The origin of new sagas, such as {@code order-service/place-order}; empty for none. */
  String origin() {
    return application.isEmpty() ? "" : application + "/" + definition();
  }

  /** The version that new sagas follow; null for the highest. */
  @Nullable Integer startVersion() {
    return startVersions.get(definition());
  }

  /** Whether a saga follows a version of this definition that is known here. */
  boolean knows(SagaState saga) {
    return versions().stream()
        .anyMatch(it -> it.name().equals(saga.definition()) && it.version() == saga.version());
  }

  /** The record that a reply of this type to one of these sagas is read into; empty for none. */
  Optional<Class<?>> replyOf(String type) {
    return Optional.ofNullable(replies().get(type));
  }

  /** The step that replies of a record answer; empty where the record does not say. */
  Optional<String> stepAnsweredBy(SagaState saga, Class<?> reply) {
    return version(saga).flatMap(definition -> definition.stepAnsweredBy(reply));
  }

  /** Whether any success answers a step: its definition maps no record of one. */
  boolean takesAnySuccess(SagaState saga, String step) {
    return version(saga).filter(definition -> definition.takesAnySuccess(step)).isPresent();
  }

  private Optional<? extends SagaDefinition<?>> version(SagaState saga) {
    return versions().stream().filter(it -> it.version() == saga.version()).findFirst();
  }

  /** All replies that these sagas take. */
  List<RequiredVersion.Kind> kinds() {
    return versions().stream()
        .flatMap(
            version ->
                replies().keySet().stream()
                    .map(type -> new RequiredVersion.Kind(version.name(), version.version(), type)))
        .toList();
  }

  /** Joins sagas that were locked in this transaction with what they are about. */
  SagaBatch<?> batch(Transaction tx, List<StoredSaga> locked) throws SQLException {
    return sagas(tx).batch(tx.connection(), locked);
  }

  /**
   * Sends again what was not answered in time.
   *
   * @param limit how many sagas at most; as many in the answer means that more may be due
   */
  public Swept fireDue(Transaction tx, int limit) throws SQLException {
    return swept(tx, sagas(tx).fireDue(tx.connection(), limit));
  }

  /** The same for some that are due. */
  public Swept fireDue(Transaction tx, Set<UUID> some) throws SQLException {
    return swept(tx, sagas(tx).fireDue(tx.connection(), some));
  }

  private static Swept swept(Transaction tx, List<SagaState> due) throws SQLException {
    return new Swept(due.size(), OpenSagas.becameStuck(tx.connection(), due));
  }

  /** The ids of those that are due; reads nothing of them that could be wrong. */
  public List<UUID> due(Transaction tx, int limit) throws SQLException {
    return sagas(tx).due(tx.connection(), limit);
  }

  /**
   * Counts a failure of a saga that is due, and puts it off or in quarantine.
   *
   * @return empty when another process was faster
   */
  public Optional<FailingSagas.Counted> countFailure(Transaction tx, UUID saga, Throwable failure)
      throws SQLException {
    return FailingSagas.count(tx.connection(), saga, failure, failures);
  }

  /**
   * The result of one sweep of the timers.
   *
   * @param due how many sagas were due
   * @param stuck those of them that became stuck
   */
  public record Swept(int due, List<OpenSagas.Stuck> stuck) {}

  /** The fields of the log lines about a stuck saga. */
  public LogContext about(Transaction tx, OpenSagas.Stuck stuck) throws SQLException {
    return sagas(tx)
        .origin(tx.connection(), stuck.id())
        .map(it -> LogContext.saga(stuck.id(), it.subjectId(), stuck.steps(), it.traceparent()))
        .orElseGet(() -> LogContext.saga(stuck.id(), null, stuck.steps(), null));
  }

  /** A saga, for showing it; empty if none of this definition has this id. */
  public Optional<SagaView> view(Transaction tx, UUID sagaId) throws SQLException {
    return sagas(tx).view(tx.connection(), sagaId);
  }

  /**
   * Does what an operator asks of a saga, unless that makes no sense.
   *
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  public OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    try {
      return sagas(tx).request(tx.connection(), sagaId, request, now());
    } catch (RuntimeException | Error e) {
      if (FailureKind.of(e) == FailureKind.OTHER) {
        throw new SagaFailed(sagaId, e);
      }
      throw e;
    }
  }

  /** What {@link #request} would answer now; changes nothing. */
  public OperatorAnswer foresee(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return sagas(tx).foresee(tx.connection(), sagaId, request);
  }
}
