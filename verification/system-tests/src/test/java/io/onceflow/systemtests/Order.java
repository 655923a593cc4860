package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An order that was placed.
 *
 * @param customer whose it is
 */
record Order(Stack stack, Customer customer, String id) {

  /**
   * A crashed owner's lease (20 s), a reply waited for twice (10 s and 20 s) and a slow machine fit
   * in.
   */
  static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  /** The order as its customer reads it now. */
  JsonPath read() {
    return customer.get("/orders/" + id).jsonPath();
  }

  /** Its saga as its customer reads it now. */
  JsonPath saga() {
    return customer.get("/orders/" + id + "/saga").jsonPath();
  }

  /** The saga's JSON, to the letter. */
  String sagaText() {
    return customer.get("/orders/" + id + "/saga").asString();
  }

  private @Nullable String status() {
    return Json.text(customer.get("/orders/" + id), "status");
  }

  private @Nullable String sagaStatus() {
    return Json.text(customer.get("/orders/" + id + "/saga"), "status");
  }

  /** Each step of its saga with its status, such as {@code process-payment SUCCEEDED}. */
  List<String> steps() {
    List<Map<String, Object>> steps = customer.list("/orders/" + id + "/saga", "steps");
    return steps.stream().map(step -> step.get("name") + " " + step.get("status")).toList();
  }

  /** Each event of its saga, with the step that it is about. */
  List<String> history() {
    List<Map<String, Object>> entries = customer.list("/orders/" + id + "/saga", "history");
    return entries.stream()
        .map(
            it -> it.get("step") == null ? it.get("event") : it.get("event") + " " + it.get("step"))
        .map(Object::toString)
        .toList();
  }

  /** Waits until it has this status, and its saga that one. */
  Order awaitEnd(String status, String sagaStatus) {
    await("order " + id + " is " + status)
        .atMost(ENDS_WITHIN)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(status()).isEqualTo(status);
              assertThat(sagaStatus()).isEqualTo(sagaStatus);
            });
    return this;
  }

  Order awaitConfirmed() {
    return awaitEnd("CONFIRMED", "COMPLETED");
  }

  Order awaitCancelled() {
    return awaitEnd("CANCELLED", "COMPENSATED");
  }

  /** Whether it is confirmed or cancelled: nothing becomes of it any more. */
  boolean hasEnded() {
    return !"PENDING".equals(status());
  }

  /** Waits until its saga has this status, which need not be its last. */
  Order awaitSaga(String status) {
    await("the saga of order " + id + " is " + status)
        .atMost(ENDS_WITHIN)
        .ignoreExceptions()
        .until(() -> status.equals(sagaStatus()));
    return this;
  }

  /** Waits until it has ended, one way or the other. */
  Order awaitEnded() {
    await("order " + id + " has ended")
        .atMost(ENDS_WITHIN)
        .ignoreExceptions()
        .until(this::hasEnded);
    return this;
  }

  /** Waits until it has ended in this way, and expects the books to be exact. */
  Order awaitEnding(Ending ending, long amount) {
    awaitEnd(ending.status(), ending.sagaStatus());
    assertThat(Json.text(customer.get("/orders/" + id), "cancellationReason"))
        .as("why order %s is cancelled", id)
        .isEqualTo(ending.cancellationReason());
    List<LedgerEntry> money = gatewayLedger();
    assertThat(money)
        .as("gateway's ledger of order %s", id)
        .extracting(LedgerEntry::kind)
        .isEqualTo(ending.gateway());
    assertThat(money).extracting(LedgerEntry::amount).allMatch(it -> it == amount);
    assertThat(carrierLedger())
        .as("carrier's ledger of order %s", id)
        .extracting(LedgerEntry::kind)
        .isEqualTo(ending.carrier());
    return this;
  }

  /** The latest return of it, with its saga, as its customer reads it now. */
  JsonPath itsReturn() {
    return customer.get("/orders/" + id + "/return").jsonPath();
  }

  /** Waits until its latest return has this status. */
  Order awaitReturn(String status) {
    await("the return of order " + id + " is " + status)
        .atMost(ENDS_WITHIN)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(itsReturn().getString("status")).isEqualTo(status));
    return this;
  }

  /** What the gateway has on its books for it. */
  List<LedgerEntry> gatewayLedger() {
    return stack.ledgers().gateway(id);
  }

  /** What the carrier has on its books for it. */
  List<LedgerEntry> carrierLedger() {
    return stack.ledgers().carrier(id);
  }

  /** Expects one charge of the amount and one booking, and nothing else. */
  void expectPaidAndShippedOnce(long amount) {
    assertThat(gatewayLedger())
        .as("gateway's ledger of order %s", id)
        .extracting(LedgerEntry::kind, LedgerEntry::amount)
        .containsExactly(tuple("CHARGE", amount));
    assertThat(carrierLedger())
        .as("carrier's ledger of order %s", id)
        .extracting(LedgerEntry::kind)
        .containsExactly("BOOKING");
  }
}
