package io.onceflow.saga.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The subjects of sagas as JPA entities: how they are read, and by how many statements. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
@Tag("nightly")
class JpaSagaRepositoryTest {

  @Inject JtaUnitOfWork transactions;
  @Inject EntityManager entities;
  @Inject DataSource database;
  @Inject UserTransaction transaction;

  private SagaRepository<Trip> trips;
  private Statistics statistics;

  @BeforeEach
  void find() {
    trips = new JpaSagaRepository<>(LockedEntities.of(Trip.class));
    statistics = entities.getEntityManagerFactory().unwrap(SessionFactory.class).getStatistics();
    statistics.setStatisticsEnabled(true);
  }

  /** Seen red: each of the twenty was read once more by itself. */
  @Test
  void aBatchIsLockedAndReadInOneStatement() throws SQLException {
    Set<UUID> ids = stored(20);

    Map<UUID, Trip> loaded =
        transactions.call(
            tx -> {
              statistics.clear();
              return trips.load(tx, ids);
            });

    assertThat(loaded).containsOnlyKeys(ids);
    assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
  }

  /** What was read before the lock may have been changed until it was taken. */
  @Test
  void whatTheTransactionHadReadBeforeIsReadAgainUnderTheLock() throws SQLException {
    UUID stale = stored(1).iterator().next();
    UUID other = stored(1).iterator().next();

    List<String> flights =
        transactions.call(
            tx -> {
              Trip read = entities.find(Trip.class, stale);
              changeElsewhere(stale);
              statistics.clear();
              Map<UUID, Trip> loaded = trips.load(tx, Set.of(stale, other));
              assertThat(loaded.get(stale)).isSameAs(read);
              return List.of(loaded.get(stale).flight, loaded.get(other).flight);
            });

    assertThat(flights).containsExactly("changed elsewhere", "OF 1");
    assertThat(statistics.getPrepareStatementCount())
        .as("one for the batch, one for what was read before")
        .isEqualTo(2);
  }

  /** Before: what a slow database did not get done in time was parked as the message's fault. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionThatTakesLongerThanItsTimeoutIsTheDatabasesFault(boolean goesOn)
      throws SystemException {
    transaction.setTransactionTimeout(1);
    try {
      assertThatThrownBy(
              () ->
                  transactions.run(
                      tx -> {
                        await()
                            .pollInSameThread()
                            .until(() -> transaction.getStatus() == Status.STATUS_ROLLEDBACK);
                        if (goesOn) {
                          trips.load(tx, Set.of(UUID.randomUUID()));
                        }
                      }))
          .satisfies(
              failure -> assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.DATABASE_AWAY));
    } finally {
      transaction.setTransactionTimeout(0);
    }
  }

  private Set<UUID> stored(int count) throws SQLException {
    return transactions.call(
        tx -> {
          List<Trip> some = Stream.generate(Trip::new).limit(count).toList();
          some.forEach(trip -> trip.flight = "OF 1");
          trips.insert(tx, some);
          return some.stream().map(trips::id).collect(Collectors.toSet());
        });
  }

  /** By another thread, which takes no part in the transaction. */
  private void changeElsewhere(UUID trip) {
    CompletableFuture.runAsync(
            () -> {
              try (Connection connection = database.getConnection();
                  PreparedStatement update =
                      connection.prepareStatement("UPDATE trip SET flight = ? WHERE id = ?")) {
                update.setString(1, "changed elsewhere");
                update.setObject(2, trip);
                update.executeUpdate();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            })
        .join();
  }
}
