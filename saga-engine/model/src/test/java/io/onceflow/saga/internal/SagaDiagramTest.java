package io.onceflow.saga.internal;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.saga.SagaDefinition.together;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.RandomSaga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SagaDiagramTest {

  private static final Predicate<Journey> SUMMER = journey -> journey.marks().isEmpty();
  private static final Pattern NODE = Pattern.compile("^ {4}(\\w+)[\\[({]");
  private static final Pattern EDGE =
      Pattern.compile("^ {4}(\\w+)\\S*(?: \\S+)*? -(?:-|\\.-)>(?:\\|[^|]*\\|)? (.+)$");

  @Test
  void drawsStepsForwardAndCompensationsBack() {
    assertThat(SagaDiagram.mermaid(PlaceOrder.DEFINITION))
        .isEqualTo(
            """
            flowchart TD
                start(["place-order v1"]) --> s_process_payment
                s_process_payment["process-payment"]
                s_process_payment -->|done| s_arrange_shipment
                s_process_payment -->|refused| compensated
                s_process_payment -->|no answer| s_refund_payment
                s_arrange_shipment["arrange-shipment"]
                s_arrange_shipment -->|done| s_confirm_order
                s_arrange_shipment -->|refused| s_refund_payment
                s_arrange_shipment -->|no answer| s_cancel_shipment
                s_confirm_order{{"confirm-order"}} -->|only forward| completed
                s_cancel_shipment[/"cancel-shipment"/] -->|done| s_refund_payment
                s_arrange_shipment -.-|undone by| s_cancel_shipment
                s_refund_payment[/"refund-payment"/] -->|done| compensated
                s_process_payment -.-|undone by| s_refund_payment
                completed([COMPLETED])
                compensated([COMPENSATED])
            """);
  }

  @Test
  void drawsWhatAStepMayWaitFor() {
    assertThat(
            SagaDiagram.mermaid(
                saga("journey", 1, book("hotel").await("confirmed").within(Duration.ofDays(2)))))
        .contains("s_book_hotel -.->|awaits confirmed| s_book_hotel\n");
  }

  @Test
  void drawsNoWayBackPastThePivot() {
    assertThat(
            SagaDiagram.mermaid(
                saga(
                    "journey",
                    2,
                    step("pack").run((Journey journey) -> journey.marked("packed")),
                    pivot("depart").run((Journey journey) -> journey.marked("departed")),
                    tell("hosts"))))
        .isEqualTo(
            """
            flowchart TD
                start(["journey v2"]) --> s_pack
                s_pack("pack") --> s_depart
                s_depart{{"depart"}} -->|only forward| s_tell_hosts
                s_tell_hosts["tell-hosts"]
                s_tell_hosts -->|done| completed
                completed([COMPLETED])
            """);
  }

  @Test
  void drawsAPivotThatIsSentWithAWayBackForItsRefusalAlone() {
    assertThat(
            SagaDiagram.mermaid(
                saga("journey", 1, book("car"), Journey.decide("trip"), tell("hosts"))))
        .contains(
            "s_decide_trip{{\"decide-trip\"}}",
            "s_decide_trip -->|done| s_tell_hosts",
            "s_decide_trip -->|refused| s_cancel_car")
        .doesNotContain("s_decide_trip -->|refused, no answer|", "s_tell_hosts -->|refused");
  }

  @Test
  void goesBackPastStepsThatNothingUndoes() {
    assertThat(SagaDiagram.mermaid(saga("journey", 1, book("car"), tell("friends"), book("inn"))))
        .contains(
            "s_tell_friends -->|refused, no answer| s_cancel_car",
            "s_book_inn -->|refused| s_cancel_car");
  }

  @Test
  void drawsStepsThatRunTogetherSideBySide() {
    assertThat(
            SagaDiagram.mermaid(
                saga("journey", 1, book("train"), together(book("inn"), book("car")), tell("ada"))))
        .contains(
            "s_book_train -->|done| s_book_inn & s_book_car",
            "s_book_inn -->|done| s_tell_ada",
            "s_book_inn -->|refused| s_cancel_car",
            "s_book_car -->|refused| s_cancel_inn",
            "s_tell_ada -->|refused, no answer| s_cancel_inn & s_cancel_car",
            "s_cancel_inn[/\"cancel-inn\"/] -->|done| s_cancel_train",
            "s_cancel_car[/\"cancel-car\"/] -->|done| s_cancel_train");
  }

  @Test
  void drawsEachBranchOfAChoiceAndItsWayBack() {
    assertThat(
            mermaid(
                book("car"),
                choice("season").when("summer", SUMMER, book("tent"), tell("ada")).otherwise(),
                book("inn")))
        .contains(
            "s_book_car -->|done| s_season\n",
            "s_season{\"season\"}\n",
            "s_season -->|summer| s_book_tent\n",
            "s_season -->|otherwise| s_book_inn\n",
            "s_tell_ada -->|done| s_book_inn\n",
            "s_tell_ada -->|refused, no answer| s_cancel_tent\n",
            "s_book_inn -->|refused| s_cancel_tent & s_cancel_car\n",
            "s_cancel_tent[/\"cancel-tent\"/] -->|done| s_cancel_car\n");
  }

  @Test
  void drawsWhatASagaWaitsForAndItsOtherWay() {
    assertThat(
            mermaid(
                book("car"),
                sleep("night", Duration.ofHours(12)),
                approval("leave").by("chief").two().within(Duration.ofMinutes(90)),
                await("sunrise").within(Duration.ofDays(1)).otherwise(tell("ada"))))
        .contains(
            "s_night([\"night\"]) -->|after 12 h| s_leave\n",
            "s_leave([\"leave, by two of chief\"])\n",
            "s_leave -->|approved| s_sunrise\n",
            "s_leave -.->|refused, not within 1 h 30 min| s_cancel_car\n",
            "s_sunrise -->|in time| completed\n",
            "s_sunrise -.->|not within 1 d| s_tell_ada\n");
  }

  @Test
  void drawsItemsAsOneStep() {
    assertThat(
            mermaid(
                book("car"),
                step("pack")
                    .forEach((Journey journey) -> journey.marks(), thing -> thing)
                    .atOnce(3)
                    .send(Journey.PackThing.class, (journey, thing) -> null)))
        .contains(
            "s_pack[[\"pack for each item, 3 at once\"]]\n",
            "s_pack -->|refused, no answer| s_cancel_car\n");
  }

  @Test
  void drawsFallbacksAndBestEffort() {
    assertThat(mermaid(book("car").fallback(book("train")), tell("ada").bestEffort()))
        .contains(
            "s_book_car -.->|refused| s_book_train\n",
            "s_book_car -->|no answer| s_cancel_car\n",
            "s_cancel_car -.->|instead| s_book_train\n",
            "s_book_train -->|done| s_tell_ada\n",
            "s_book_train -->|refused| compensated\n",
            "s_tell_ada -->|done or not| completed\n")
        .doesNotContain("s_tell_ada -->|refused");
  }

  @Test
  void drawsTheSagaThatIsStarted() {
    assertThat(
            mermaid(
                Journey.decide("trip"),
                start("errand", Journey.Errand.class, Journey::errand).otherwise(tell("ada"))))
        .contains(
            "s_errand[[\"errand, saga Errand\"]] -->|completed| completed\n",
            "s_errand -.->|compensated| s_tell_ada\n")
        .doesNotContain("s_errand -->|compensated| compensated");
  }

  @Test
  void drawsThatTheSagaThatIsStartedBeforeThePivotIsUndone() {
    assertThat(
            mermaid(
                Journey.book("room"),
                start("errand", Journey.Errand.class, Journey::errand),
                Journey.decide("trip")))
        .contains(
            "s_errand[[\"errand, saga Errand\"]] -->|completed| s_decide_trip\n",
            "s_errand -.->|compensated| s_cancel_room\n",
            "s_decide_trip -->|refused| s_compensation_of_errand\n",
            "s_compensation_of_errand[/\"compensation of errand\"/] -->|done| s_cancel_room\n",
            "s_errand -.-|undone by| s_compensation_of_errand\n");
  }

  /** Whatever it is made of: nothing leads to what is not drawn, and every step is reached. */
  @ParameterizedTest
  @MethodSource("seeds")
  void drawsAnyTreeWhole(long seed) {
    SagaDefinition<?> definition = new RandomSaga(seed).definition();
    String picture = SagaDiagram.mermaid(definition);
    Map<String, Set<String>> ways = waysOf(picture);
    Set<String> reached = reachedFrom("start", ways, new HashSet<>());

    Set<String> drawn =
        picture
            .lines()
            .flatMap(it -> NODE.matcher(it).results())
            .map(it -> it.group(1))
            .collect(toSet());
    assertThat(drawn).as(picture).containsAll(reached);
    assertThat(reached)
        .as(picture)
        .containsAll(
            definition.steps().stream().map(it -> "s_" + it.name().replace('-', '_')).toList());
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  private static Map<String, Set<String>> waysOf(String picture) {
    Map<String, Set<String>> ways = new HashMap<>();
    picture
        .lines()
        .flatMap(it -> EDGE.matcher(it).results())
        .forEach(
            it ->
                ways.computeIfAbsent(it.group(1), from -> new HashSet<>())
                    .addAll(List.of(it.group(2).split(" & "))));
    return ways;
  }

  private static Set<String> reachedFrom(
      String node, Map<String, Set<String>> ways, Set<String> reached) {
    if (reached.add(node)) {
      ways.getOrDefault(node, Set.of()).forEach(next -> reachedFrom(next, ways, reached));
    }
    return reached;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static String mermaid(StepGroup<Journey>... parts) {
    return SagaDiagram.mermaid(saga("journey", 1, parts));
  }
}
