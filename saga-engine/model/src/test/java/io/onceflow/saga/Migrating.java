package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.replied;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaMigrator;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Versions of a journey, and sagas that are carried from one to another. */
final class Migrating {

  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  static final SagaDefinition<Journey> FIRST =
      version(1, book("hotel"), book("car"), decide("go"), tell("guide"));

  /** A hotel is booked, and a car is being booked. */
  static final SagaState UNDER_WAY = reached(FIRST, done("book-hotel"));

  private Migrating() {}

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static SagaDefinition<Journey> version(int number, StepGroup<Journey>... parts) {
    return new SagaDefinition<>("journey", number, List.of(parts));
  }

  /** A saga that was started and has got these replies. */
  static SagaState reached(SagaDefinition<Journey> definition, Reply... replies) {
    SagaExecution<Journey> saga =
        loaded(definition, SagaState.toBeStarted(new UUID(0, 1), definition, NOW));
    saga.apply(new SagaEvent.Started(), NOW);
    for (Reply reply : replies) {
      saga.apply(replied(reply), NOW);
    }
    return saga.state();
  }

  static SagaExecution<Journey> loaded(SagaDefinition<Journey> definition, SagaState state) {
    return new SagaExecution<>(
        definition, new ReplyBackoff(Jitter.NONE), Journey::news, state, Journey.journey());
  }

  private static SagaMigrator migrator(SagaDefinition<Journey> from, SagaDefinition<Journey> to) {
    return new SagaMigrator(from, to, to.migrationFrom(from.version()).orElseThrow());
  }

  static String objection(
      SagaDefinition<Journey> from, SagaDefinition<Journey> to, SagaState saga) {
    return migrator(from, to).objection(saga).orElseThrow();
  }

  static SagaState migrated(
      SagaDefinition<Journey> from, SagaDefinition<Journey> to, SagaState saga) {
    assertThat(migrator(from, to).objection(saga)).isEmpty();
    return migrator(from, to).migrated(saga);
  }

  /** What the saga sends for a reply. */
  static List<String> sent(SagaDefinition<Journey> definition, SagaState state, Reply reply) {
    SagaExecution<Journey> saga = loaded(definition, state);
    saga.apply(replied(reply), NOW);
    return saga.commands().stream().map(SentCommand::name).toList();
  }

  static StepStatus status(SagaState saga, String step) {
    return saga.step(step).orElseThrow().status();
  }
}
