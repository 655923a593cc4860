package io.onceflow.order.imports;

import static io.onceflow.order.imports.ImportingCustomer.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.onceflow.idempotency.internal.recovery.AbandonedClaims;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Imports that lose their owner half-way: whoever goes on places the rest, and nothing twice. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(120)
@Tag("nightly")
class AbandonedImportTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  /**
   * Two full batches, which are placed before the import breaks off, and the third, which is not.
   */
  private static final int PLACED = 200;

  private static final int ALL = 230;

  private final ImportingCustomer customer = new ImportingCustomer();
  private final String key = UUID.randomUUID().toString();

  @Inject DataSource database;
  @Inject BrokerConnection broker;
  @Inject AbandonedClaims claims;

  private OrderRows rows;
  private DeafPaymentService payments;

  @BeforeEach
  void prepare() throws IOException {
    rows = new OrderRows(database, customer.name());
    payments = new DeafPaymentService(broker);
  }

  @AfterEach
  void tidyUp() throws Exception {
    rows.forgetSagas();
    payments.close();
  }

  @Test
  void goesOnByItselfWhereItStopped() throws SQLException {
    breaksOff();
    rows.endLease();

    claims.sweep();

    customer.awaitAnswer(key);
    expectEachOnce();
  }

  @Test
  void goesOnWhenTheClientRepeatsItsRequest() throws SQLException {
    breaksOff();
    rows.endLease();

    customer.isPromised(orders(ALL), key);

    customer.awaitAnswer(key);
    expectEachOnce();
  }

  @Test
  void isStillPromisedWhileNobodyGoesOn() throws SQLException {
    breaksOff();

    customer.isPromised(orders(ALL), key);
    customer.gets("/idempotency-keys/" + key).then().body("status", equalTo("IN_PROGRESS"));
    assertThat(customer.newest().status()).isEqualTo(OrderImport.Status.RUNNING);
    assertThat(customer.newest().placed()).isEqualTo(PLACED);
  }

  @Test
  void isNotForgottenWhenGoingOnWithItFails() throws Exception {
    breaksOff();
    rows.endLease();
    try (HeldUp held = new HeldUp(database)) {
      held.whole(customer.name());
      CompletableFuture<Integer> status =
          CompletableFuture.supplyAsync(() -> customer.sends(orders(ALL), key).statusCode());
      held.awaitHeldUp();
      held.breakConnection();
      assertThat(status.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(500);
    }
    assertThat(rows.keys()).as("the claim").isEqualTo(1);
    rows.endLease();

    claims.sweep();

    customer.awaitAnswer(key);
    expectEachOnce();
  }

  @Test
  void placesNothingTwiceWhileTwoBelieveToBeAtIt() throws SQLException {
    customer.isPromised(orders(ALL), key);
    await("the claim changes hands").atMost(SOON).until(this::takenOverOrDone);

    customer.awaitAnswer(key);

    expectEachOnce();
  }

  @Test
  void goesOnUnderANewClaimOfTheSameRequest() throws SQLException {
    breaksOff();
    forgetKey();

    customer.isPromised(orders(ALL), key);

    customer.awaitAnswer(key);
    expectEachOnce();
  }

  @Test
  void isAbandonedWhenItsKeyIsUsedForOtherOrdersAfterItExpired() throws SQLException {
    breaksOff();
    OrderImport old = customer.newest();
    forgetKey();

    customer.isPromised(orders(5), key);

    customer.awaitAnswer(key);
    assertThat(customer.newest().placed()).isEqualTo(5);
    customer
        .gets("/order-imports/" + old.id())
        .then()
        .body("status", equalTo("ABANDONED"))
        .body("placed", equalTo(PLACED));
    assertThat(rows.orders()).isEqualTo(PLACED + 5);
  }

  @Test
  void freesAKeyUnderWhichNothingWasStored() throws SQLException {
    rows.change(
        """
        INSERT INTO idempotency_record
               (scope, key, fingerprint, status, operation, lease_expires_at, expires_at)
        VALUES (?, 'nothing-was-stored', '\\x00', 'STARTED', 'import-orders',
                now() - interval '1 hour', now() + interval '1 hour')
        """);

    await("the key is free")
        .atMost(SOON)
        .until(
            () -> {
              claims.sweep();
              return rows.keys() == 0;
            });
  }

  /** An import that has stopped in the midst of its third batch, its owner gone. */
  private void breaksOff() throws SQLException {
    try (HeldUp held = new HeldUp(database)) {
      customer.isPromised(orders(ALL), key);
      held.at(customer.name(), ALL - 1);
      held.breakConnection();
    }
    assertThat(rows.orders()).isEqualTo(PLACED);
  }

  private boolean takenOverOrDone() throws SQLException {
    return rows.endLease() == 0 || claims.sweep() > 0;
  }

  /** As if it had expired and was deleted before anybody went on. */
  private void forgetKey() throws SQLException {
    rows.change("DELETE FROM idempotency_record WHERE scope = ?");
  }

  private void expectEachOnce() throws SQLException {
    OrderImport done =
        customer.gets("/order-imports/" + customer.newest().id()).as(OrderImport.class);
    assertThat(done.status()).isEqualTo(OrderImport.Status.COMPLETED);
    assertThat(done.orders()).hasSize(ALL).doesNotHaveDuplicates();
    assertThat(rows.importedAmounts())
        .isEqualTo(LongStream.rangeClosed(1, ALL).mapToObj(books -> books * 10).toList());
    assertThat(rows.orders()).isEqualTo(ALL);
    assertThat(rows.sagas()).isEqualTo(ALL);
    assertThat(rows.commandsSent()).isEqualTo(ALL);
    assertThat(rows.count("order_import WHERE customer = ?")).isEqualTo(1);
  }
}
