package io.onceflow.saga.internal;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.saga.SagaDefinition.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.PlaceOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SagaDiagramTest {

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
}
