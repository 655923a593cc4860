package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred messages of which one cannot be read. Before: those behind it waited for ever. */
@Timeout(60)
class DeferredMessagesTest {

  private final Fixture fixture = new Fixture();
  private final UnitOfWork unitOfWork = PlainUnitOfWork.on(Saga.PAYMENTS.source());
  private final Stored store = new Stored();
  private final UUID bad = store.add();
  private final UUID good = store.add();
  private final DeferredMessages deferred =
      new DeferredMessages(new Settles(), unitOfWork, fixture.parking(), store);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void oneThatCannotBeReadHoldsUpNoOther() throws Exception {
    store.unreadable = bad;

    deferred.take();
    assertThat(store.ids).containsExactly(bad);

    store.unreadable = null;
    deferred.take();
    assertThat(store.ids).isEmpty();
    assertThat(store.taken).containsExactly(good, bad);
  }

  @Test
  void neitherDoesOneThatHasExpired() throws Exception {
    store.unreadable = bad;
    store.isExpired = true;

    deferred.take();

    assertThat(store.ids).containsExactly(bad);
    assertThat(store.asked).as("one more than before, for the one that stays").isEqualTo(100);
    deferred.take();
    assertThat(store.asked).isEqualTo(101);
  }

  @Test
  void whenTheDatabaseIsAwayNoneIsToBlame() {
    store.away = new SQLException("no connection", "08006");

    assertThatThrownBy(deferred::take).isSameAs(store.away);
  }

  /** Takes each as it is. */
  private final class Settles implements Redriver {

    @Override
    public boolean redrive(Parked parked) throws SQLException {
      return unitOfWork.call(tx -> parked.take(tx).isPresent());
    }
  }

  private static final class Stored implements DeferredMessages.Store {

    private final List<UUID> ids = new ArrayList<>();
    private final List<UUID> taken = new ArrayList<>();
    private @Nullable UUID unreadable;
    private boolean isExpired;
    private @Nullable SQLException away;
    private int asked;

    UUID add() {
      UUID id = OutboxMessage.newId();
      ids.add(id);
      return id;
    }

    @Override
    public List<UUID> known(int most) throws SQLException {
      return isExpired ? List.of() : List.copyOf(ids);
    }

    @Override
    public List<UUID> expired(int most) {
      asked = most;
      return isExpired ? List.copyOf(ids) : List.of();
    }

    @Override
    public Optional<Delivery> take(Transaction tx, UUID id) throws SQLException {
      if (away != null) {
        throw away;
      }
      if (id.equals(unreadable)) {
        throw new IllegalStateException("its headers are no map of strings");
      }
      taken.add(id);
      ids.remove(id);
      return Optional.of(new Saga().take());
    }

    @Override
    public void count(String outcome) {
      // No metric is looked at here.
    }
  }
}
