package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.Migrating.FIRST;
import static io.onceflow.saga.Migrating.NOW;
import static io.onceflow.saga.Migrating.UNDER_WAY;
import static io.onceflow.saga.Migrating.loaded;
import static io.onceflow.saga.Migrating.migrated;
import static io.onceflow.saga.Migrating.objection;
import static io.onceflow.saga.Migrating.reached;
import static io.onceflow.saga.Migrating.sent;
import static io.onceflow.saga.Migrating.status;
import static io.onceflow.saga.Migrating.version;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.PlaceOrder.replied;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaMigrator;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which sagas are carried over to another version, and how. */
class SagaMigrationTest {

  @Test
  void keepsWhatWasDoneAndIsUnderWayAndContinuesByTheNewVersion() {
    SagaDefinition<Journey> second =
        version(2, book("hotel"), book("car"), book("train"), decide("go"), tell("guide"))
            .migrates(1);

    SagaState migrated = migrated(FIRST, second, UNDER_WAY);

    assertThat(migrated.version()).isEqualTo(2);
    assertThat(migrated.revision()).isEqualTo(UNDER_WAY.revision() + 1);
    assertThat(migrated.deadlineAt()).isEqualTo(UNDER_WAY.deadlineAt());
    assertThat(migrated.steps()).containsAll(UNDER_WAY.steps()).hasSize(5);
    assertThat(sent(second, migrated, done("book-car"))).containsExactly("book-train");
    assertThat(sent(second, migrated, refused("book-car"))).containsExactly("cancel-hotel");
  }

  @Test
  void refusesAStepBeforeWhatWasDoneUnlessItIsSkippedThen() {
    List<StepGroup<Journey>> parts = List.of(tell("office"), book("hotel"), book("car"));
    SagaDefinition<Journey> second = new SagaDefinition<>("journey", 2, parts);
    assertThat(objection(FIRST, second.migrates(1), UNDER_WAY))
        .startsWith("version 2 takes tell-office before what was carried out or is under way");

    SagaDefinition<Journey> skipping = second.migrates(1, it -> it.skip("tell-office"));
    SagaState migrated = migrated(FIRST, skipping, UNDER_WAY);
    assertThat(status(migrated, "tell-office")).isEqualTo(StepStatus.SKIPPED);
    assertThat(sent(skipping, migrated, done("book-car"))).isEmpty();
  }

  @Test
  void aStepAheadIsTakenAlthoughItMayBeSkipped() {
    SagaDefinition<Journey> second =
        version(2, book("hotel"), book("car"), tell("office"), decide("go"))
            .migrates(1, it -> it.skip("tell-office"));
    SagaState migrated = migrated(FIRST, second, UNDER_WAY);
    assertThat(sent(second, migrated, done("book-car"))).containsExactly("tell-office");
  }

  @Test
  void aSagaThatIsUndoneIsMigratedAndTakesNoNewStep() {
    SagaState undone = reached(FIRST, done("book-hotel"), refused("book-car"));
    SagaDefinition<Journey> second =
        version(2, tell("office"), book("hotel"), book("car"), decide("go")).migrates(1);

    SagaExecution<Journey> saga = loaded(second, migrated(FIRST, second, undone));
    saga.apply(replied(done("cancel-hotel")), NOW);

    assertThat(saga.state().status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(saga.commands()).isEmpty();
  }

  @Test
  void localStepsAreRenamed() {
    SagaDefinition<Journey> first =
        version(1, step("note").run((Journey journey) -> journey), book("car"));
    SagaDefinition<Journey> second =
        version(2, step("write").run((Journey journey) -> journey), book("car"))
            .migrates(1, it -> it.rename("note", "write"));
    SagaState migrated = migrated(first, second, reached(first));
    assertThat(status(migrated, "write")).isEqualTo(StepStatus.SUCCEEDED);
  }

  /** What was skipped comes later in the version before, and is taken there. */
  @Test
  void isUndoneUntilSomethingNewWasDone() {
    SagaDefinition<Journey> second =
        version(2, tell("guide"), book("hotel"), book("car"), book("train"))
            .migrates(1, it -> it.skip("tell-guide"));
    SagaMigrator back =
        new SagaMigrator(second, FIRST, second.migrationFrom(1).orElseThrow().reversed(2));
    SagaState there = migrated(FIRST, second, UNDER_WAY);

    assertThat(back.objection(there)).isEmpty();
    assertThat(back.migrated(there).steps()).isEqualTo(UNDER_WAY.steps());

    SagaExecution<Journey> moved = loaded(second, there);
    moved.apply(replied(done("book-car")), NOW);
    assertThat(back.objection(moved.state()))
        .contains("book-train is under way, and version 1 has no such step");
  }

  @Test
  void aVersionWithTheSameStepsChangesNothingOfAnySaga() {
    for (int seed = 0; seed < 300; seed++) {
      RandomSaga random = new RandomSaga(seed);
      SagaDefinition<Journey> first = random.definition();
      SagaDefinition<Journey> second =
          new SagaDefinition<>(first.name(), first.version() + 1, first.parts())
              .migrates(first.version());
      random
          .watchedBy(
              (definition, backoff, state, subject) ->
                  new SagaExecution<>(definition, backoff, Journey::news, state, subject),
              saga -> assertUnchanged(first, second, saga.state()))
          .runWild(40);
    }
  }

  private static void assertUnchanged(
      SagaDefinition<Journey> first, SagaDefinition<Journey> second, SagaState saga) {
    if (!saga.status().isEnd()) {
      assertThat(taken(migrated(first, second, saga))).isEqualTo(taken(saga));
    }
  }

  private static List<StepState> taken(SagaState saga) {
    return saga.steps().stream()
        .filter(step -> saga.isTurnedRound() ? step.attempts() > 0 : true)
        .toList();
  }

  @Test
  void whatDoesNotFitTheDefinitionIsNotDeclared() {
    SagaDefinition<Journey> second = version(2, book("hotel"), decide("go"));
    assertInvalid(() -> second.migrates(2), "not an earlier one");
    assertInvalid(() -> second.migrates(1, it -> it.skip("decide-go")), "the pivot");
    assertInvalid(() -> second.migrates(1, it -> it.skip("nap")), "\"nap\", which it does not");
    assertInvalid(
        () -> second.migrates(1, it -> it.rename("a", "book-hotel").rename("b", "book-hotel")),
        "two steps to one");
  }

  private static void assertInvalid(Runnable declaring, String why) {
    assertThatThrownBy(declaring::run)
        .isInstanceOf(SagaDefinitionInvalid.class)
        .hasMessageContaining(why);
  }
}
