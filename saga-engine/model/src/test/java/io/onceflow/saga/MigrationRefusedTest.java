package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.Migrating.FIRST;
import static io.onceflow.saga.Migrating.NOW;
import static io.onceflow.saga.Migrating.UNDER_WAY;
import static io.onceflow.saga.Migrating.loaded;
import static io.onceflow.saga.Migrating.objection;
import static io.onceflow.saga.Migrating.reached;
import static io.onceflow.saga.Migrating.version;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which sagas are not carried over to another version, and why. */
class MigrationRefusedTest {

  private static final Function<Journey, OutgoingCommand> ASK =
      journey -> new OutgoingCommand("Ask", "ask.something", journey.id());

  @Test
  void refusesWhereAStepIsMissing() {
    assertRefused("book-hotel was carried out, and version 2 has no such step", book("car"));
    assertRefused("book-car is under way, and version 2 has no such step", book("hotel"));
  }

  @Test
  void refusesWhereAStepKeyWouldChange() {
    assertRefused(
        "book-hotel was carried out, and is named book-inn in version 2: its step key would change",
        it -> it.rename("book-hotel", "book-inn"),
        book("inn"),
        book("car"));
  }

  @Test
  void refusesWhereThePivotWouldMoveBehindWhatWasDone() {
    SagaDefinition<Journey> first = version(1, tell("guide"), decide("go"), tell("cat"));
    assertRefused(
        first,
        reached(first, done("tell-guide")),
        "tell-guide was carried out, and is the pivot in version 2: the pivot would move",
        pivot("tell-guide").send(ASK),
        step("decide-go").send(ASK));
    assertRefused(
        first,
        reached(first, done("tell-guide"), done("decide-go")),
        "decide-go was carried out, and is not the pivot in version 2",
        tell("guide"),
        step("decide-go").send(ASK),
        tell("cat"));
  }

  @Test
  void refusesWhereACompensationWouldBeLost() {
    assertRefused(
        "book-hotel was carried out, and its compensation cancel-hotel would be lost: in version 2 it is not compensated",
        step("book-hotel").send(ASK),
        book("car"));
    assertRefused(
        "book-car is under way, and its compensation cancel-car would be lost: in version 2 it is return-car",
        book("hotel"),
        step("book-car").send(ASK).compensateWith("return-car", ASK));
  }

  @Test
  void refusesWhereAStepIsOfAnotherKind() {
    assertRefused(
        "book-hotel was carried out as a command, and is a local step in version 2",
        step("book-hotel").run((Journey journey) -> journey),
        book("car"));
    SagaDefinition<Journey> packing = version(1, Journey.pack("bag", 1), book("car"));
    assertRefused(
        packing,
        reached(packing),
        "bag was carried out as a command (PackThing) for each item, and is a command in version 2",
        step("bag").send(ASK),
        book("car"));
  }

  @Test
  void refusesWhereStepsWereTakenInAnotherOrder() {
    assertRefused(
        "book-hotel was carried out before book-car, and comes after it in version 2",
        book("car"),
        book("hotel"));
  }

  @Test
  void refusesWhereAStepIsOnAnotherWay() {
    assertRefused(
        "book-hotel was carried out as part of no other step, and is part of stay (long) in version 2",
        choice("stay").when("long", MigrationRefusedTest::always, book("hotel")).otherwise(),
        book("car"));
    SagaDefinition<Journey> chosen =
        version(
            1,
            choice("stay").when("long", MigrationRefusedTest::always, book("hotel")).otherwise());
    assertRefused(
        chosen,
        reached(chosen),
        "stay has taken the branch long, which version 2 does not have",
        choice("stay").when("short", MigrationRefusedTest::always, book("hotel")).otherwise());
  }

  @Test
  void refusesWhereASagaContinuedWithoutAStepThatItWouldNotContinueWithout() {
    SagaDefinition<Journey> first = version(1, tell("guide").bestEffort(), book("car"));
    assertRefused(
        first,
        reached(first, refused("tell-guide")),
        "tell-guide has failed, and version 2 does not continue without it",
        tell("guide"),
        book("car"));
  }

  @Test
  void refusesWhereAnEventThatCameEarlyWouldBeLost() {
    SagaDefinition<Journey> first =
        version(1, book("car"), await("news").within(Duration.ofHours(1)));
    SagaExecution<Journey> saga = loaded(first, reached(first));
    saga.apply(new SagaEvent.Signalled("news", "hash", null, "ada", null), NOW);
    assertRefused(
        first,
        saga.state(),
        "the event news was reported, and is not awaited in version 2",
        book("car"));
  }

  @Test
  void refusesWhatHasEnded() {
    SagaDefinition<Journey> first = version(1, tell("guide"));
    assertRefused(
        first, reached(first, done("tell-guide")), "it has ended as COMPLETED", tell("guide"));
  }

  private static boolean always(Journey journey) {
    return true;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static void assertRefused(String why, StepGroup<Journey>... second) {
    assertRefused(FIRST, UNDER_WAY, why, second);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static void assertRefused(
      String why, UnaryOperator<SagaMigration> by, StepGroup<Journey>... second) {
    assertThat(objection(FIRST, version(2, second).migrates(1, by), UNDER_WAY)).startsWith(why);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static void assertRefused(
      SagaDefinition<Journey> first, SagaState saga, String why, StepGroup<Journey>... second) {
    assertThat(objection(first, version(2, second).migrates(1), saga)).startsWith(why);
  }
}
