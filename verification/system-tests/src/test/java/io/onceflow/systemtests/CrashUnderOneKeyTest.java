package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order service dies between claiming a key and committing the order, twice. */
@Tag("nightly")
@SystemTest
class CrashUnderOneKeyTest {

  private static final int CLIENTS = 16;
  private static final int CRASHES = 2;

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final String key = Customer.newKey();

  @AfterEach
  void heal() {
    stack.heal();
  }

  @Test
  void killedBetweenClaimAndCommitItPlacesOneOrderForAllClients() {
    CompletableFuture<List<Response>> answers;
    try (OpenTransaction lock = lockedOrders()) {
      answers = Together.meanwhile(CLIENTS, Collections.nCopies(CLIENTS, insisting()));
      lock.awaitAnotherHeldUp();
      stack.orders().kill();
    }
    expectNothingLeftBehind();
    for (int i = 1; i < CRASHES; i++) {
      crashOnceMore();
    }
    stack.heal();

    List<Response> all = answers.join();

    assertThat(all).hasSize(CLIENTS);
    assertThat(all)
        .extracting(Response::asString)
        .as("every client's answer")
        .containsOnly(all.getFirst().asString());
    Order order = customer.placed().getFirst().awaitConfirmed();
    assertThat(customer.orders()).hasSize(1);
    order.expectPaidAndShippedOnce(OrderForm.GOOD.amount());
    assertThat(rows("saga_instance WHERE scope = ?")).isEqualTo(1);
    assertThat(rows("idempotency_record WHERE scope = ?")).isEqualTo(1);
  }

  private Callable<Response> insisting() {
    return () -> customer.insists(() -> customer.post(OrderForm.GOOD.json(), key));
  }

  /** The clients are still at it: as soon as the service is back, one of them holds the claim. */
  private void crashOnceMore() {
    try (OpenTransaction lock = lockedOrders()) {
      stack.orders().start();
      lock.awaitAnotherHeldUp();
      stack.orders().kill();
    }
    expectNothingLeftBehind();
  }

  /**
   * The table of orders is locked, so the service claims the key and its transaction stays open.
   */
  private OpenTransaction lockedOrders() {
    OpenTransaction lock = stack.ordersDatabase().begin();
    lock.lockTable("orders");
    return lock;
  }

  /** Claim, order, saga and outbox row were one transaction, and it was not committed. */
  private void expectNothingLeftBehind() {
    await("the dead process's transaction is rolled back")
        .atMost(Order.ENDS_WITHIN)
        .untilAsserted(
            () -> {
              assertThat(rows("idempotency_record WHERE scope = ?")).isZero();
              assertThat(rows("orders WHERE customer = ?")).isZero();
              assertThat(rows("saga_instance WHERE scope = ?")).isZero();
            });
  }

  private long rows(String ofCustomer) {
    return stack.ordersDatabase().count("SELECT count(*) FROM " + ofCustomer, customer.name());
  }
}
