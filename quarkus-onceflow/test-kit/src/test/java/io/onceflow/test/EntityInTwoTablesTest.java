package io.onceflow.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.SecondaryTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The query that locks an entity reads all its tables as they are once the lock is taken. */
@Timeout(60)
class EntityInTwoTablesTest {

  private static final DataSource DATABASE = TestPostgres.database("vans", "db/vans");

  private final UnitOfWork transactions = PlainUnitOfWork.on(DATABASE);

  private final SagaRepository<Van> vans =
      new JpaSagaRepository<>(JpaEntities.on(DATABASE, Van.class).of(Van.class));

  @Entity(name = "vehicle")
  @SecondaryTable(name = "van")
  static class Van {
    @Id UUID id = UUID.randomUUID();
    String plate = "OLD";

    @Column(table = "van")
    int load = 1;
  }

  @Test
  void isReadAsTheOwnerOfItsLockHasLeftItInBothTables() throws Exception {
    Van van = new Van();
    transactions.call(
        tx -> {
          vans.insert(tx, List.of(van));
          return tx;
        });

    try (ExecutorService second = Executors.newSingleThreadExecutor()) {
      Future<Van> waiting =
          transactions.call(
              tx -> {
                Van owned = vans.load(tx, Set.of(van.id)).get(van.id);
                owned.plate = "NEW";
                owned.load = 2;
                vans.save(tx, List.of(owned));
                Future<Van> loading = second.submit(() -> load(van.id));
                await().until(EntityInTwoTablesTest::oneWaitsForALock);
                return loading;
              });

      assertThat(waiting.get().plate).isEqualTo("NEW");
      assertThat(waiting.get().load).isEqualTo(2);
    }
  }

  private Van load(UUID id) throws SQLException {
    return transactions.call(tx -> vans.load(tx, Set.of(id)).get(id));
  }

  private static boolean oneWaitsForALock() throws SQLException {
    String waiting =
        """
        SELECT count(*) > 0
        FROM   pg_stat_activity
        WHERE  datname = current_database()
        AND    wait_event_type = 'Lock'
        """;
    try (Connection connection = DATABASE.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(waiting)) {
      rows.next();
      return rows.getBoolean(1);
    }
  }
}
