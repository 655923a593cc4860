package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.Inbox;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class InboxOnceTest {

  private static final Fingerprint PRINT = Fingerprint.of("an invoice".getBytes(UTF_8));

  @Inject Inbox inbox;

  private final StepKey key =
      new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "book-invoice");
  private final AtomicInteger runs = new AtomicInteger();

  /** What the work comes to. */
  record Receipt(int number, BigDecimal amount, String note) {}

  @Test
  void doesTheWorkAndAnswersWhatItCameTo() {
    assertThat(once().number()).isEqualTo(1);
  }

  @Test
  void answersTheSecondTimeWhatItCameToTheFirst() {
    Receipt first = once();
    assertThat(once()).isEqualTo(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void doesTheWorkOnceForManyAtOnce() throws Exception {
    List<Receipt> receipts = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Receipt> receipt :
          IntStream.range(0, 16).mapToObj(i -> threads.submit(() -> once())).toList()) {
        receipts.add(receipt.get());
      }
    }
    assertThat(receipts.stream().distinct()).hasSize(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  void refusesTheKeyForAnotherMessage() {
    once();
    Fingerprint other = Fingerprint.of("another".getBytes(UTF_8));
    assertThatThrownBy(() -> inTransaction(() -> once("ada", other)))
        .isInstanceOfSatisfying(
            UnprocessableMessage.class,
            why -> assertThat(why.reason()).isEqualTo(ParkingReason.FINGERPRINT_MISMATCH));
    assertThat(runs).hasValue(1);
  }

  @Test
  void keepsScopesApart() {
    Receipt adas = once();
    assertThat(inTransaction(() -> once("bob", PRINT))).isNotEqualTo(adas);
  }

  @Test
  void doesTheWorkAgainWhenItWasRolledBack() {
    QuarkusTransaction.begin();
    once("ada", PRINT);
    QuarkusTransaction.rollback();
    assertThat(once().number()).isEqualTo(2);
  }

  @Test
  void doesTheWorkAgainWhenItFailed() {
    Supplier<Receipt> failing =
        () -> {
          throw new UnsupportedOperationException("not today");
        };
    assertThatThrownBy(
            () -> inTransaction(() -> inbox.once("ada", key, PRINT, Receipt.class, failing)))
        .hasStackTraceContaining("not today");
    assertThat(once().number()).isEqualTo(1);
  }

  @Test
  void wantsATransaction() {
    assertThatIllegalStateException()
        .isThrownBy(() -> once("ada", PRINT))
        .withMessageContaining("@Transactional");
    assertThat(runs).hasValue(0);
  }

  private Receipt once() {
    return inTransaction(() -> once("ada", PRINT));
  }

  private Receipt once(String scope, Fingerprint print) {
    return inbox.once(
        scope,
        key,
        print,
        Receipt.class,
        () -> new Receipt(runs.incrementAndGet(), new BigDecimal("10.50"), "für Ada"));
  }

  private static <T> T inTransaction(Supplier<T> work) {
    return QuarkusTransaction.requiringNew().call(work::get);
  }
}
