package io.onceflow.saga.internal.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.saga.internal.store.LockedSaga;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells sagas of what they wait for themselves. */
@Singleton
public final class SagaSignals {

  /** Of a payload as JSON, in bytes: one that comes early is kept in the saga's row. */
  public static final int LARGEST_PAYLOAD = 16_384;

  private final SagaRunners sagas;
  private final SagaMessages messages;
  private final Clock clock;

  SagaSignals(SagaRunners sagas, SagaMessages messages, Clock clock) {
    this.sagas = sagas;
    this.messages = messages;
    this.clock = clock;
  }

  /** What came of a signal. */
  public sealed interface Result {

    /** There is no such saga. */
    record NoSaga() implements Result {}

    /** The saga follows a version that is not known here; nothing was changed. */
    record UnknownVersion(SagaState saga) implements Result {}

    /** The version that the saga follows does not have this wait. */
    record NoWait(SagaDefinition<?> definition, Wait.Kind kind) implements Result {}

    /**
     * The saga was told.
     *
     * @param saga as it stands now
     */
    record Told(SignalStanding standing, SagaState saga) implements Result {}
  }

  /** Makes the signal, once the saga's wait is known. */
  @FunctionalInterface
  public interface SignalOf {

    /** Throws what is wrong with it; the transaction must not commit then. */
    SagaEvent.Signalled of(Wait<?> wait);
  }

  /**
   * Locks a saga and tells it of a signal.
   *
   * @throws io.quarkiverse.resteasy.problem.HttpProblem while it is on hold: nothing has changed
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  public Result signal(Transaction tx, UUID id, String name, Wait.Kind kind, SignalOf signal)
      throws SQLException {
    LockedSagas locked = locked(tx, id);
    LockedSagas.Entry entry = locked.find(id);
    if (entry == null) {
      return new Result.NoSaga();
    }
    if (entry.stored().hold() != null) {
      throw SagaOnHold.of(id);
    }
    LockedSaga<?> saga = entry.saga();
    if (saga == null) {
      return new Result.UnknownVersion(entry.stored().reached());
    }
    Optional<? extends Wait<?>> wait = waitOf(saga.definition(), name, kind);
    if (wait.isEmpty()) {
      return new Result.NoWait(saga.definition(), kind);
    }
    return told(locked, saga, signal.of(wait.get()));
  }

  private LockedSagas locked(Transaction tx, UUID id) throws SQLException {
    try {
      return sagas.lock(tx, Set.of(id));
    } catch (RuntimeException e) {
      throw failed(id, e);
    }
  }

  private Result told(LockedSagas locked, LockedSaga<?> saga, SagaEvent.Signalled signal)
      throws SQLException {
    try {
      SignalStanding standing = saga.standing(signal);
      saga.apply(signal, clock.instant());
      locked.save();
      return new Result.Told(standing, saga.state());
    } catch (RuntimeException e) {
      throw failed(saga.state().id(), e);
    }
  }

  private static RuntimeException failed(UUID saga, RuntimeException why) {
    return FailureKind.of(why) == FailureKind.OTHER ? new SagaFailed(saga, why) : why;
  }

  /** The wait of this name and kind; empty where a definition has none. */
  static Optional<? extends Wait<?>> waitOf(
      SagaDefinition<?> definition, String name, Wait.Kind kind) {
    return definition.waitNamed(name).filter(wait -> wait.kind() == kind);
  }

  /**
   * A name that no version has is a mistake; one that only another version has is not.
   *
   * @throws IllegalArgumentException if so
   */
  static void requireAwaited(Collection<? extends SagaDefinition<?>> versions, String event) {
    if (versions.stream().noneMatch(it -> waitOf(it, event, Wait.Kind.EVENT).isPresent())) {
      throw new IllegalArgumentException(
          "%s waits for no event %s; it waits for: %s"
              .formatted(
                  versions.iterator().next().name(), event, names(versions, Wait.Kind.EVENT)));
    }
  }

  /** The names of all waits of a kind, for a sentence. */
  public static String names(Collection<? extends SagaDefinition<?>> definitions, Wait.Kind kind) {
    String all =
        definitions.stream()
            .flatMap(definition -> definition.steps().stream())
            .filter(step -> step instanceof Wait<?> wait && wait.kind() == kind)
            .map(step -> step.name())
            .distinct()
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? "none" : all;
  }

  /**
   * An event.
   *
   * @param payload null where it has none
   * @param key by which it is told once
   * @param by who tells, for the history
   * @throws IllegalArgumentException where the payload is not what the definition wants of the
   *     event, or too large
   */
  public SagaEvent.Signalled event(
      Wait<?> wait, @Nullable Record payload, IdempotencyKey key, String by) {
    Class<?> given = payload == null ? null : payload.getClass();
    Class<?> wanted = wait.payload().orElse(null);
    if (given != wanted) {
      throw new IllegalArgumentException(
          "the event %s has %s as its payload, and was told with %s"
              .formatted(wait.name(), named(wanted), named(given)));
    }
    return new SagaEvent.Signalled(
        wait.name(),
        MemoryHash.of(wait.name().getBytes(UTF_8), key.value().getBytes(UTF_8)),
        payload == null ? null : json(wait, payload),
        by,
        null);
  }

  private static String named(@Nullable Class<?> type) {
    return type == null ? "nothing" : type.getSimpleName();
  }

  private String json(Wait<?> wait, Record payload) {
    String json = messages.write(payload);
    if (json.getBytes(UTF_8).length > LARGEST_PAYLOAD) {
      throw new IllegalArgumentException(
          "the payload of the event %s is longer than %s bytes"
              .formatted(wait.name(), LARGEST_PAYLOAD));
    }
    if (json.contains("\\u0000")) {
      throw new IllegalArgumentException(
          "the payload of the event %s has a NUL character, which the database does not store"
              .formatted(wait.name()));
    }
    return json;
  }
}
