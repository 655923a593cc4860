package io.onceflow.saga.internal.store.version;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaMigrator;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.control.DefinitionControl;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One definition in every version that sagas may still follow. */
public final class Versions<D> {

  private final String definition;
  private final NavigableMap<Integer, SagaDefinition<D>> byNumber;
  private final SagaDefinition<D> starting;
  private final ReplyBackoff backoff;
  private final Map<String, Class<?>> replies;

  private Versions(
      NavigableMap<Integer, SagaDefinition<D>> byNumber,
      SagaDefinition<D> starting,
      ReplyBackoff backoff) {
    this.definition = starting.name();
    this.byNumber = byNumber;
    this.starting = starting;
    this.backoff = backoff;
    this.replies = replies(byNumber.values());
  }

  /**
   * @param definitions one definition in every version that sagas may still follow
   * @param policy how long sagas wait before they send again
   * @param startVersion which of them new sagas follow; null for the highest
   * @throws IllegalArgumentException if there is none, or they are not versions of one definition
   */
  public static <D> Versions<D> of(
      List<SagaDefinition<D>> definitions, RetryPolicy policy, @Nullable Integer startVersion) {
    NavigableMap<Integer, SagaDefinition<D>> byNumber = new TreeMap<>();
    definitions.forEach(each -> byNumber.put(each.version(), each));
    boolean oneName = definitions.stream().map(SagaDefinition::name).distinct().count() == 1;
    if (!oneName || byNumber.size() < definitions.size()) {
      throw new IllegalArgumentException(
          ("%s are not the different versions of one definition; let definition() and"
                  + " earlierVersions() have one name, and each a different version")
              .formatted(definitions));
    }
    int start = startVersion == null ? byNumber.lastKey() : startVersion;
    SagaDefinition<D> starting =
        requireNonNull(
            byNumber.get(start), () -> definitions.getFirst().name() + " has no version " + start);
    return new Versions<>(byNumber, starting, new ReplyBackoff(Jitter.HASHED, policy));
  }

  /** A message says its type alone: sagas of an older version would not take note of the other. */
  public static Map<String, Class<?>> replies(Collection<? extends SagaDefinition<?>> versions) {
    Map<String, Class<?>> all = new HashMap<>();
    for (SagaDefinition<?> version : versions) {
      version.replies().forEach((type, reply) -> add(all, type, reply, version));
    }
    return all;
  }

  private static void add(
      Map<String, Class<?>> all, String type, Class<?> reply, SagaDefinition<?> version) {
    Class<?> other = all.put(type, reply);
    if (other != null && other != reply) {
      throw new SagaDefinitionInvalid(
          "saga %s takes %s, and another version of it %s; a reply's type is the record's name without its package, so rename one."
              .formatted(version, reply.getName(), other.getName()));
    }
  }

  /** The replies that sagas of these take, by AMQP type; sagas of others may take them as well. */
  public Map<String, Class<?>> replies() {
    return replies;
  }

  /** The name that they share. */
  public String definition() {
    return definition;
  }

  public Set<Integer> numbers() {
    return Collections.unmodifiableSet(byNumber.keySet());
  }

  /** All of them, the oldest first. */
  public List<SagaDefinition<D>> definitions() {
    return List.copyOf(byNumber.values());
  }

  /** What new sagas follow, as configured. */
  public SagaDefinition<D> starting() {
    return starting;
  }

  /** Whether sagas may be waiting for others to end: a version limits how many run. */
  public boolean limitRunning() {
    return byNumber.values().stream().anyMatch(each -> each.limits().areOfRunning());
  }

  /** What a new saga follows as operators have set, if that is known here. */
  public SagaDefinition<D> starting(DefinitionControl set, UUID saga) {
    return byNumber.getOrDefault(set.startVersion(saga, starting.version()), starting);
  }

  /** Whether a saga follows one of these. */
  public boolean know(SagaState saga) {
    return saga.definition().equals(definition) && byNumber.containsKey(saga.version());
  }

  /** Whether a saga follows one of these, and has reached no step that is not among its steps. */
  public boolean fit(StoredSaga saga) {
    return know(saga.reached())
        && followedBy(saga.reached()).steps().stream()
            .map(Step::name)
            .collect(Collectors.toSet())
            .containsAll(
                saga.reached().steps().stream()
                    .map(step -> ItemSteps.stepOf(step.name()))
                    .toList());
  }

  /**
   * The definition that a saga follows.
   *
   * @throws IllegalStateException if it follows none of these
   */
  public SagaDefinition<D> followedBy(SagaState saga) {
    SagaDefinition<D> followed = byNumber.get(saga.version());
    if (followed == null) {
      throw new IllegalStateException(
          "saga %s follows version %s of %s, which is not known here"
              .formatted(saga.id(), saga.version(), definition));
    }
    return followed;
  }

  /** A saga that is {@linkplain #know known}, with the steps that it has not come to as well. */
  public SagaState inFull(StoredSaga saga) {
    return saga.reached().withStepsOf(followedBy(saga.reached()));
  }

  /**
   * What an operator who has a {@linkplain #know known} saga migrated would be answered.
   *
   * @param version which it is to follow
   */
  public OperatorAnswer migrated(StoredSaga saga, int version) {
    SagaState reached = saga.reached();
    Optional<SagaMigrator> migrator = migrator(reached.version(), version);
    if (migrator.isEmpty()) {
      return new OperatorAnswer.Refused(reached, notDeclared(reached.version(), version));
    }
    if (reached.revision() == 0) {
      return new OperatorAnswer.Refused(reached, "it has not started yet");
    }
    if (!fit(saga)) {
      return new OperatorAnswer.Refused(
          reached,
          "it has reached steps that version %s does not have".formatted(reached.version()));
    }
    SagaState full = inFull(saga);
    return migrator
        .get()
        .objection(full)
        .<OperatorAnswer>map(why -> new OperatorAnswer.Refused(full, why))
        .orElseGet(() -> new OperatorAnswer.Done(migrator.get().migrated(full)));
  }

  private static String notDeclared(int from, int to) {
    return from == to
        ? "it follows version %s already".formatted(to)
        : "neither of the versions %s and %s says with migrates(...) how sagas of the other are carried over"
            .formatted(from, to);
  }

  /** Forward as the newer version declares it, and back the same way. */
  private Optional<SagaMigrator> migrator(int from, int to) {
    SagaDefinition<D> before = byNumber.get(from);
    SagaDefinition<D> after = byNumber.get(to);
    return before == null || after == null
        ? Optional.empty()
        : after
            .migrationFrom(from)
            .or(() -> before.migrationFrom(to).map(it -> it.reversed(from)))
            .map(by -> new SagaMigrator(before, after, by));
  }

  /**
   * A {@linkplain #know known} saga with its subject, ready to be moved.
   *
   * @param payloads of commands and events, as JSON
   */
  public LockedSaga<D> lock(StoredSaga saga, D subject, LockedSaga.Payloads payloads) {
    return new LockedSaga<>(
        new StoredSaga(saga.origin(), inFull(saga), saga.sent()),
        followedBy(saga.reached()),
        backoff,
        subject,
        payloads);
  }
}
