package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.Handlers.MoneyTaken;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.RecordTable;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sagas that change one row. Before: of two in a batch, of two transactions, and of two that called
 * out, the second overwrote the first, and both were answered as done.
 */
@Timeout(60)
class SharedRowTest {

  private static final long STOCK = 100;

  private static final Duration SOON = Duration.ofMillis(1);

  private final Fixture fixture = new Fixture();
  private final ShelfTable shelves = new ShelfTable();
  private final UUID shelf = UUID.randomUUID();
  private final Saga one = new Saga();
  private final Saga other = new Saga();
  private final Participant participant =
      fixture.participant(
          TestConfig.inbox(), Saga.PAYMENTS.source(), handlers(new TakeFromShelf()));

  /** A row that steps of many sagas change. */
  record Shelf(UUID id, UUID shelfId, CallKey key, long stock) {

    Shelf less(long taken) {
      return new Shelf(id, shelfId, key, stock - taken);
    }
  }

  @BeforeEach
  void fill() throws SQLException {
    Saga.PAYMENTS.update(
        """
        CREATE TABLE IF NOT EXISTS shelf (
          id       uuid   NOT NULL PRIMARY KEY,
          shelf_id uuid   NOT NULL,
          scope    text   NOT NULL,
          step_key text   NOT NULL,
          stock    bigint NOT NULL,
          UNIQUE (shelf_id, scope, step_key)
        )
        """);
    CallKey filling = new CallKey("ada", new StepKey(new IdempotencyKey("fill"), "fill", ""));
    try (Connection connection = Saga.PAYMENTS.connect()) {
      shelves.save(connection, List.of(new Shelf(UUID.randomUUID(), shelf, filling, STOCK)));
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void isChangedByBothOfOneBatch() throws Exception {
    participant.settle(List.of(take(one, 1), take(other, 2)));

    assertThat(one.replies()).containsExactly("MoneyTaken");
    assertThat(other.replies()).containsExactly("MoneyTaken");
    assertThat(stock()).isEqualTo(STOCK - 3);
  }

  @Test
  void isChangedByBothThatAreTakenOverTogether() throws Exception {
    participant.settle(List.of(take(one, 1), take(other, 2)));
    for (Saga saga : List.of(one, other)) {
      Saga.PAYMENTS.update(
          """
          UPDATE inbox_message
          SET    status = 'STARTED', outcome = NULL, completed_at = NULL,
                 lease_expires_at = now() - interval '1 s', envelope = ?::json
          WHERE  step_key = ?
          """,
          envelope(saga),
          saga.takeKey());
    }

    assertThat(participant.recover()).isEqualTo(2);

    assertThat(stock()).isEqualTo(STOCK - 3 - 20);
  }

  @Test
  void isLockedUntilTheTransactionThatDecidesAboutItEnds() throws Exception {
    try (Connection deciding = Saga.PAYMENTS.connect();
        Connection next = Saga.PAYMENTS.connect()) {
      deciding.setAutoCommit(false);
      shelves.load(deciding, Set.of(shelf));
      try (var statement = next.createStatement()) {
        statement.execute("SET lock_timeout = '50ms'");
      }

      assertThatThrownBy(() -> shelves.load(next, Set.of(shelf)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("lock timeout");
      deciding.rollback();
      assertThat(shelves.load(next, Set.of(shelf))).containsKey(shelf);
    }
  }

  @Test
  void isChangedByBothThatCallOutMeanwhile() throws Exception {
    CountDownLatch bothCall = new CountDownLatch(2);
    Participant calling =
        fixture.participant(
            TestConfig.inbox(
                Map.of("call-out.first-backoff", SOON, "call-out.longest-backoff", SOON)),
            Saga.PAYMENTS.source(),
            handlers(new TakeByCall(bothCall)));

    calling.settle(List.of(take(one, 1), take(other, 2)));

    await()
        .untilAsserted(
            () -> {
              calling.recover();
              assertThat(one.replies()).containsExactly("MoneyTaken");
              assertThat(other.replies()).containsExactly("MoneyTaken");
            });
    assertThat(stock()).isEqualTo(STOCK - 3);
  }

  private HandlerMethods handlers(Object bean) {
    return HandlerMethods.of(
        new CompositeRepository().with(Shelf.class, shelves), Fixture.JSON, bean);
  }

  private Delivery take(Saga saga, long amount) {
    return saga.command("TakeMoney", payload(amount));
  }

  private String payload(long amount) {
    return "{\"subject\":\"%s\",\"amount\":%d}".formatted(shelf, amount);
  }

  private String envelope(Saga saga) throws JsonProcessingException {
    return Fixture.JSON.writeValueAsString(InboundMessage.read(take(saga, 10)));
  }

  private long stock() throws SQLException {
    try (Connection connection = Saga.PAYMENTS.connect()) {
      return shelves.load(connection, Set.of(shelf)).get(shelf).getFirst().stock();
    }
  }

  private static final class ShelfTable extends RecordTable<Shelf> {

    ShelfTable() {
      super(Shelf.class, "shelf", "shelf_id", "stock");
    }

    @Override
    protected UUID subjectOf(Shelf row) {
      return row.shelfId();
    }
  }

  /**
   * Takes while another takes, too.
   *
   * @param bothCall reached by both
   */
  private record TakeByCall(CountDownLatch bothCall) {

    @Handles
    @CallsOut
    Answer take(TakeMoney command, Optional<Shelf> shelf) throws InterruptedException {
      bothCall.countDown();
      bothCall.await();
      return answer(command, shelf);
    }
  }

  private static final class TakeFromShelf {

    @Handles
    Answer take(TakeMoney command, Optional<Shelf> shelf) {
      return answer(command, shelf);
    }
  }

  private static Answer answer(TakeMoney command, Optional<Shelf> shelf) {
    return Answer.done(new MoneyTaken(command.subject(), "shelf"))
        .save(shelf.orElseThrow().less(command.amount()));
  }
}
