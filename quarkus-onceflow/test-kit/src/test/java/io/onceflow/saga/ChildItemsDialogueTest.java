package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.fetch;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.test.SagaDialogue;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A saga that starts another one for each of its items. */
class ChildItemsDialogueTest {

  private static SagaDialogue<Journey> started(int atOnce) {
    return given(saga("j", 1, book("room"), fetch("fetch", atOnce), decide("trip")))
        .started(journey())
        .expect(command("book-room"))
        .on(done("book-room"));
  }

  private static Journey of(String thing) {
    return journey().errandFor(thing);
  }

  @Test
  void startsAsManyAtATimeAsItSaysEachAboutASubjectOfItsOwn() {
    started(2)
        .expectStarted("fetch/shoes", of("shoes"))
        .expectStarted("fetch/book", of("book"))
        .childEnded("fetch/book", COMPLETED)
        .expectStarted("fetch/tent", of("tent"))
        .childEnded("fetch/tent", COMPLETED)
        .expectNothingMore()
        .childEnded("fetch/shoes", COMPLETED)
        .expect(command("decide-trip"));
  }

  @Test
  void undoesTheOthersWhenOneIsCompensated() {
    allStarted()
        .childEnded("fetch/shoes", COMPLETED)
        .childEnded("fetch/tent", COMPENSATED)
        .expectUndone("fetch/book")
        .expectUndone("fetch/shoes")
        .childEnded("fetch/book", COMPENSATED)
        .expectNothingMore()
        .childEnded("fetch/shoes", COMPENSATED)
        .expect(command("cancel-room"))
        .on(done("cancel-room"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesThemInThePlacesInWhichTheyWereStarted() {
    started(1)
        .expectStarted("fetch/shoes", of("shoes"))
        .childEnded("fetch/shoes", COMPLETED)
        .expectStarted("fetch/book", of("book"))
        .childEnded("fetch/book", COMPLETED)
        .expectStarted("fetch/tent", of("tent"))
        .cancelled(Saga.CancelOutcome.COMPENSATING)
        .expectUndone("fetch/tent")
        .childEnded("fetch/tent", COMPENSATED)
        .expectUndone("fetch/book")
        .childEnded("fetch/book", COMPENSATED)
        .expectUndone("fetch/shoes")
        .childEnded("fetch/shoes", COMPENSATED)
        .expect(command("cancel-room"));
  }

  @Test
  void goesOnWithoutWhatIsBestEffortAlsoPastThePivot() {
    given(saga("j", 1, decide("trip"), fetch("fetch", 3).bestEffort()))
        .started(journey())
        .expect(command("decide-trip"))
        .on(done("decide-trip"))
        .expectStarted("fetch/shoes", of("shoes"))
        .expectStarted("fetch/book", of("book"))
        .expectStarted("fetch/tent", of("tent"))
        .childEnded("fetch/book", COMPENSATED)
        .childEnded("fetch/tent", COMPLETED)
        .childEnded("fetch/shoes", COMPLETED)
        .expectEnd(COMPLETED);
  }

  @Test
  void hasThemUndoneAtTheDeadlineOfAll() {
    SagaDialogue<Journey> saga = allStarted().after(ofDays(1).minusMinutes(1));
    saga.expectStatus(Saga.SagaStatus.RUNNING)
        .after(ofMinutes(1))
        .expectUndone("fetch/tent")
        .expectUndone("fetch/book")
        .expectUndone("fetch/shoes");
  }

  private static SagaDialogue<Journey> allStarted() {
    return started(3)
        .expectStarted("fetch/shoes", of("shoes"))
        .expectStarted("fetch/book", of("book"))
        .expectStarted("fetch/tent", of("tent"));
  }

  @Test
  @Timeout(20)
  void startsAThousandAndNoMore() {
    SagaDialogue<Journey> saga = given(many(1000)).started(journey());
    IntStream.range(0, 1000).forEach(i -> saga.expectStarted("many/" + i, numbered(i)));
    IntStream.range(0, 1000).forEach(i -> saga.childEnded("many/" + i, COMPLETED));
    saga.expectEnd(COMPLETED);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given(many(1001)).started(journey()))
        .withMessageContaining("it starts at most 1000 sagas");
  }

  private static SagaDefinition<Journey> many(int number) {
    return saga(
        "j",
        1,
        step("many")
            .forEach((Journey it) -> IntStream.range(0, number).boxed().toList(), String::valueOf)
            .atOnce(number)
            .start(Journey.Errand.class, (Journey it, Integer i) -> numbered(i)));
  }

  private static Journey numbered(int i) {
    return new Journey(new UUID(i, 9), List.of());
  }

  @Test
  void aboveAHundredItemsASagaForEachIsAskedFor() {
    SagaDefinition<Journey> commands =
        saga(
            "j",
            1,
            step("many")
                .forEach((Journey it) -> IntStream.range(0, 101).boxed().toList(), String::valueOf)
                .send(Journey.PackThing.class, (Journey it, Integer i) -> it.pack("" + i)));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given(commands).started(journey()))
        .withMessageContaining("start a saga of its own for each: forEach(...).start(...)");
  }

  @Test
  void refusesWhatASagaDoesByItself() {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(
            () -> fetch("fetch", 1).compensateWith(Journey.UnpackThing.class, Journey::unpack))
        .withMessageContaining("which sends and undoes by itself");
  }
}
