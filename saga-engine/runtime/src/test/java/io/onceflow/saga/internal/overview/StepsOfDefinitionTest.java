package io.onceflow.saga.internal.overview;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.Retry.attempts;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.saga.SagaDefinition.together;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import io.onceflow.saga.internal.store.ReplyPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A tree as a list. */
class StepsOfDefinitionTest {

  private static final SagaDefinition<Journey> TREE =
      saga(
          "journey",
          1,
          step("pack")
              .forEach(Journey::marks, (String thing) -> thing)
              .atOnce(2)
              .send(Journey.PackThing.class, (journey, thing) -> null),
          choice("season")
              .when(
                  "summer",
                  (Journey journey) -> journey.marks().isEmpty(),
                  together(book("tent"), tell("ada")),
                  approval("leave").by("chief").two().within(ofDays(1)).otherwise(tell("chief")))
              .otherwise(),
          book("car").fallback(book("train").bestEffort()),
          start("shop", Journey.Errand.class, Journey::errand),
          step("fetch")
              .forEach(Journey::marks, (String thing) -> thing)
              .start(Journey.Errand.class, (journey, thing) -> journey),
          await("sunrise").within(ofMinutes(90)),
          sleep("night", ofHours(8)),
          tell("hosts").retry(attempts(20).backoff(ofMinutes(1), ofHours(6))));

  @Test
  void listsEachStepBeforeThoseThatArePartOfIt() {
    assertThat(listed())
        .containsExactly(
            "pack, items: for each item, 2 at once",
            "season, choice [summer, otherwise]",
            "book-tent, parallel 1, in summer of season",
            "tell-ada, parallel 1, in summer of season",
            "leave, approval [otherwise], in summer of season: by two of the role chief, within 1 d",
            "tell-chief, step, in otherwise of leave",
            "book-car, step [fallback]",
            "book-train, fallback, in fallback of book-car: best effort",
            "shop, saga: starts Errand, undone with this one",
            "fetch, items: for each item; starts Errand, undone with this one",
            "sunrise, wait: within 1 h 30 min",
            "night, sleep: 8 h at most",
            "tell-hosts, step: 20 attempts, 1 min to 6 h apart");
  }

  @Test
  void tellsTheCommandOfItems() {
    StepOfDefinition pack = steps().getFirst();

    assertThat(pack.command()).isEqualTo("PackThing");
    assertThat(pack.participant()).isEqualTo("bag-service");
  }

  private static List<StepOfDefinition> steps() {
    return StepsOfDefinition.of(TREE, new ReplyPolicy("journey", Map.of()));
  }

  private static List<String> listed() {
    return steps().stream().map(StepsOfDefinitionTest::text).toList();
  }

  private static String text(StepOfDefinition step) {
    return Stream.of(
            step.name() + ", " + step.kind(),
            step.parallelGroup() == null ? null : " " + step.parallelGroup(),
            step.ways().isEmpty() ? null : " " + step.ways(),
            step.partOf() == null ? null : ", in %s of %s".formatted(step.way(), step.partOf()),
            step.terms() == null ? null : ": " + step.terms())
        .filter(Objects::nonNull)
        .collect(Collectors.joining());
  }
}
