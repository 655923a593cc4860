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
      return String.valueOf(Json.text(answer, "outcome"));
    }
    String type = String.valueOf(Json.text(answer, "type"));
    return answer.statusCode() == 409 && type.endsWith("/problems/" + TOO_LATE)
        ? TOO_LATE
        : "%d %s".formatted(answer.statusCode(), answer.asString());
  }

  /**
   * Expects that the answers, those of before and one of now, are those to an order that has ended
   * as this one has, and that all that was done stands or is undone once.
   *
   * @return whether the order is cancelled, and not confirmed
   */
  boolean check(String answerNow) {
    boolean cancelled = "CANCELLED".equals(order.read().getString("status"));
    assertThat(answers).as("answers").isSubsetOf(cancelled ? TAKEN : Set.of(TOO_LATE));
    assertThat(answerNow).as("answer now").isEqualTo(cancelled ? CANCELLED : TOO_LATE);
    if (cancelled) {
      expectEverythingUndone();
    } else {
      order.expectPaidAndShippedOnce(form.amount());
    }
    return cancelled;
  }

  private void expectEverythingUndone() {
    List<LedgerEntry> money = order.gatewayLedger();
    assertThat(money)
        .as("gateway's ledger")
        .extracting(LedgerEntry::kind)
        .isIn(List.of(), List.of("CHARGE", "REFUND"));
    assertThat(money).extracting(LedgerEntry::amount).allMatch(it -> it == form.amount());
    assertThat(order.carrierLedger())
        .as("carrier's ledger")
        .extracting(LedgerEntry::kind)
        .isIn(List.of(), List.of("BOOKING", "CANCELLATION"));
  }

  /** The data that explain a failure; where they cannot be had, why. */
  String history() {
    try {
      return "%s%n  %s".formatted(this, String.join("\n  ", order.history()));
    } catch (AssertionError e) {
      return "%s%n  %s".formatted(this, e.getMessage());
    }
  }

  @Override
  public String toString() {
    return "order %s, %s, cancelled %s, answered %s".formatted(order.id(), form, moment, answers);
  }
}
