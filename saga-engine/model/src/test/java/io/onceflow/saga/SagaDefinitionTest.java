package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SagaDefinitionTest {

  @Test
  void refusesAColonInAStepsName() {
    assertRefused(
        () -> saga("place-order", 1, local("process:payment")),
        "step \"process:payment\" of saga \"place-order\" holds a colon; step keys are parsed from"
            + " their last colon, so rename it.");
  }

  @Test
  void refusesAColonInACompensationsName() {
    assertRefused(
        () -> saga("journey", 1, book("hotel:room")), "\"book-hotel:room\"", "holds a colon");
  }

  @Test
  void refusesABlankName() {
    assertRefused(
        () -> saga("journey", 1, local(" ")), "step \" \" of saga \"journey\" has a blank name");
    assertRefused(() -> saga("", 1, local("pack")), "saga \"\" has a blank name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pack the bag", "pack/bag", "pack\nbag", "gepäck", "pack\"bag"})
  void refusesANameThatCannotTravelInAHeader(String name) {
    assertRefused(() -> saga("journey", 1, local(name)), "cannot travel in a message's headers");
  }

  @Test
  void refusesANameTooLongForAKey() {
    assertRefused(() -> saga("journey", 1, local("p".repeat(65))), "at most 64");
  }

  @Test
  void refusesTwoStepsOfOneName() {
    assertRefused(
        () -> saga("journey", 1, local("pack"), local("pack")),
        "saga \"journey\" has a step and a step named \"pack\"; step keys are made of the names");
  }

  @Test
  void refusesACompensationNamedAsAStep() {
    assertRefused(
        () -> saga("journey", 1, book("car"), local("cancel-car")),
        "has a compensation and a step named \"cancel-car\"");
  }

  @Test
  void refusesASagaWithoutSteps() {
    assertRefused(
        () -> new SagaDefinition<Journey>("journey", 1, List.of()),
        "saga \"journey\" has no steps");
  }

  @Test
  void refusesAVersionBelowOne() {
    assertRefused(() -> saga("journey", 0, local("pack")), "versions count from 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S"})
  void refusesADeadlineThatIsNotPositive(Duration replyWithin) {
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                step("book")
                    .send((Journey journey) -> new OutgoingCommand("Book", "book", journey))
                    .replyWithin(replyWithin)),
        "step \"book\" of saga \"journey\" expects its reply within " + replyWithin);
  }

  @Test
  void refusesACompensationPastThePivot() {
    assertRefused(
        () -> saga("journey", 1, depart("depart"), tell("hosts"), book("hotel")),
        "step \"book-hotel\" of saga \"journey\" comes after the pivot \"depart\" and has a"
            + " compensation");
  }

  @Test
  void refusesAPivotThatCouldBeUndone() {
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                Journey.decide("trip")
                    .compensateWith(
                        "change-mind", journey -> new OutgoingCommand("A", "b.c", journey))),
        "pivot \"decide-trip\" of saga \"journey\" has a compensation");
  }

  @Test
  void refusesAPivotThatIsTakenTogetherWithOthers() {
    assertRefused(
        () -> saga("journey", 1, SagaDefinition.together(book("inn"), Journey.decide("trip"))),
        "saga \"journey\" takes its pivot together with other steps");
  }

  @Test
  void refusesASecondPivot() {
    assertRefused(
        () -> saga("journey", 1, depart("depart"), tell("hosts"), depart("arrive")),
        "saga \"journey\" has two pivots, \"depart\" and \"arrive\"");
  }

  /** Before: the second replaced the first. */
  @Test
  void refusesASecondCompensationOfOneStep() {
    assertRefused(
        () ->
            book("hotel")
                .compensateWith(
                    "leave-hotel", it -> new OutgoingCommand("Leave", "leave.hotel", it.id())),
        "step \"book-hotel\" is compensated with \"cancel-hotel\" and with \"leave-hotel\"; a step"
            + " has one compensation, so remove one.");
  }

  @Test
  void callsACompensationAsItsCommandIsCalled() {
    Step.Send<Trip> step =
        step("reserve-flight")
            .send(Trip.ReserveFlight.class, Trip::reserveFlight)
            .compensateWith(Trip.CancelFlight.class, Trip::cancelFlight);

    assertThat(step.compensation().map(Step.Compensation::name)).hasValue("cancel-flight");
  }

  /** Before: the second replaced the first. */
  @Test
  void refusesASecondEffectOfOneReply() {
    Step.Send<Trip> step =
        step("reserve-flight").send(Trip.ReserveFlight.class, Trip::reserveFlight);
    assertRefused(
        () ->
            step.on(Trip.FlightReserved.class, Trip::flightReserved)
                .on(Trip.FlightReserved.class, Trip::flightReserved),
        "step \"reserve-flight\" takes FlightReserved twice; a reply has one effect, so put both"
            + " into one method.");
  }

  @Test
  void readsWhatItIsSearchableBy() {
    SagaDefinition<Journey> definition =
        saga("journey", 1, local("pack"))
            .searchableBy("number", journey -> 4711)
            .within(Duration.ofHours(1))
            .searchableBy("guide", journey -> null);

    assertThat(definition.searchable()).containsExactly("number", "guide");
    assertThat(definition.attributes(Journey.journey())).isEqualTo(Map.of("number", "4711"));
    assertThat(definition.deadline()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void refusesAnAttributeThatCouldNotBeAskedFor() {
    SagaDefinition<Journey> definition = saga("journey", 1, local("pack"));

    assertRefused(
        () -> definition.searchableBy("a:b", journey -> ""),
        "saga \"journey\" is searchable by \"a:b\", which cannot be asked for");
    assertRefused(
        () -> definition.searchableBy("a", journey -> "").searchableBy("a", journey -> ""),
        "searchable by \"a\" twice");
  }

  @Test
  void refusesAttributesWithoutEnd() {
    SagaDefinition<Journey> definition = saga("journey", 1, local("pack"));
    for (int i = 1; i <= 8; i++) {
      definition = definition.searchableBy("a" + i, journey -> "");
    }
    SagaDefinition<Journey> full = definition;

    assertRefused(() -> full.searchableBy("a9", journey -> ""), "more than 8 attributes");
  }

  @Test
  void refusesABranchWhoseConditionWasAskedBefore() {
    Predicate<Journey> summer = journey -> journey.marks().isEmpty();
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                choice("season")
                    .when("summer", summer, local("swim"))
                    .when("august", summer, local("rest"))
                    .otherwise()),
        "branch \"august\" of choice \"season\" of saga \"journey\" has the condition of branch"
            + " \"summer\"",
        "so give it another one or remove it");
  }

  @Test
  void refusesTwoBranchesOfOneName() {
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                choice("season")
                    .when("summer", (Journey journey) -> true, local("swim"))
                    .when("summer", (Journey journey) -> false, local("rest"))
                    .otherwise()),
        "choice \"season\" of saga \"journey\" has two branches \"summer\"",
        "so rename one");
  }

  @Test
  void refusesAStepNamedAsOneThatIsTakenForItems() {
    assertRefused(
        () -> saga("journey", 1, Journey.pack("pack", 1), local("pack")),
        "has a step and a step named \"pack\"");
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                Journey.pack("pack", 1)
                    .compensateWith("unpack", Journey.UnpackThing.class, Journey::unpack),
                local("unpack")),
        "has a compensation and a step named \"unpack\"");
  }

  @Test
  void refusesItemsWhoseStepKeysWouldBeTooLong() {
    ItemSteps<Journey, String> items =
        step("p".repeat(60))
            .forEach((Journey journey) -> journey.marks(), thing -> thing)
            .send(Journey.PackThing.class, Journey::pack);

    assertThat(items.keys(Journey.journey().marked("t".repeat(39)))).hasSize(1);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> items.keys(Journey.journey().marked("t".repeat(40))))
        .withMessageContaining("may have 99 characters together, so shorten one");
  }

  @Test
  void refusesWaitsThatEndAsTheyStartOrNever() {
    assertRefused(
        () -> saga("journey", 1, SagaDefinition.<Journey>sleep("night", Duration.ZERO)),
        "\"night\" of saga \"journey\" waits PT0S",
        "give it at least a second");
    assertRefused(
        () ->
            saga(
                "journey",
                1,
                SagaDefinition.sleep("night", (Journey journey) -> Instant.EPOCH),
                book("inn")),
        "\"night\" of saga \"journey\" waits for as long as its subject says",
        "so say atMost(...)");
  }

  private static Step<Journey> local(String name) {
    return step(name).run((Journey journey) -> journey.marked(name));
  }

  private static Step<Journey> depart(String name) {
    return pivot(name).run((Journey journey) -> journey.marked(name));
  }

  private static void assertRefused(ThrowingCallable defining, String... says) {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(defining)
        .satisfies(e -> assertThat(e).hasMessageContainingAll(says));
  }
}
