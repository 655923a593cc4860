package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.List;
import java.util.Set;

/**
 * An order that was cancelled at some moment, by one request or by several at once.
 *
 * @param moment when
 * @param answers what each request was answered
 */
record Cancellation(Order order, OrderForm form, Moment moment, List<String> answers) {

  private static final String TOO_LATE = "too-late";
  private static final String CANCELLED = "cancelled";
  private static final Set<String> TAKEN = Set.of(CANCELLED, "compensating");

  /** What an answer comes to: {@code cancelled}, {@code compensating} or {@code too-late}. */
  static String outcome(Response answer) {
    if (answer.statusCode() == 202) {
      return answer.path("outcome");
    }
    String type = answer.path("type");
    return answer.statusCode() == 409 && type.endsWith("/problems/" + TOO_LATE)
        ? TOO_LATE
        : "%d %s".formatted(answer.statusCode(), answer.asString());
  }

  /** The answers of before and of now are those to an order that has ended as this one has. */
  void expectAnswersToAgreeWithTheEnd(String answerNow) {
    if (isCancelled()) {
      assertThat(answers).as(toString()).isSubsetOf(TAKEN);
      assertThat(answerNow).as(toString()).isEqualTo(CANCELLED);
    } else {
      assertThat(answers).as(toString()).containsOnly(TOO_LATE);
      assertThat(answerNow).as(toString()).isEqualTo(TOO_LATE);
    }
  }

  /** All that was done is undone once; or all of it stands. */
  void expectExactBooks() {
    if (!isCancelled()) {
      order.expectPaidAndShippedOnce(form.amount());
      return;
    }
    assertThat(order.gatewayLedger())
        .as("gateway's ledger of %s", this)
        .extracting(LedgerEntry::kind)
        .isIn(List.of(), List.of("CHARGE", "REFUND"));
    assertThat(order.gatewayLedger())
        .extracting(LedgerEntry::amount)
        .allMatch(amount -> amount == form.amount());
    assertThat(order.carrierLedger())
        .as("carrier's ledger of %s", this)
        .extracting(LedgerEntry::kind)
        .isIn(List.of(), List.of("BOOKING", "CANCELLATION"));
  }

  boolean isCancelled() {
    return "CANCELLED".equals(order.read().getString("status"));
  }

  /** What somebody has to see who wonders what happened. */
  String history() {
    return "%s%n  %s".formatted(this, String.join("\n  ", order.history()));
  }

  @Override
  public String toString() {
    return "order %s, %s, cancelled %s, answered %s".formatted(order.id(), form, moment, answers);
  }
}
