package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.test.stores.StoreUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Rule 4: the database's clock decides when a lease ends, never a process's. Here that of the
 * database goes an hour forward while those of all processes stand; a schema before pg_catalog on
 * the search path has another now().
 */
@Timeout(60)
class DatabaseClockTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated("shipping");
  private static final Duration LEASE = Duration.ofMinutes(5);

  private final ClaimRequest request =
      new ClaimRequest(
          new ScopedKey("ada", new IdempotencyKey(UUID.randomUUID().toString())),
          StoreUnderTest.PRINT,
          "operation-" + UUID.randomUUID(),
          Idempotent.Mode.LEASED,
          LEASE,
          Duration.ofDays(1));

  private PostgresProcess now;
  private PostgresProcess later;

  @BeforeEach
  void twoProcesses() throws SQLException {
    sql(
        "CREATE SCHEMA IF NOT EXISTS an_hour_later",
        """
        CREATE OR REPLACE FUNCTION an_hour_later.now() RETURNS timestamptz LANGUAGE sql STABLE
        AS $$ SELECT pg_catalog.now() + interval '1 hour' $$
        """);
    now = new PostgresProcess(DATABASE);
    later = new PostgresProcess(anHourLater());
  }

  @AfterEach
  void andTheirEnds() {
    now.close();
    later.close();
  }

  @Test
  void aLeaseLivesAsLongAsTheDatabaseSays() {
    assertThat(now.store().claim(request)).isInstanceOf(Claim.Won.class);
    assertThat(now.store().claim(request)).isInstanceOf(Claim.InProgress.class);
    assertThat(later.store().claim(request))
        .isInstanceOfSatisfying(
            Claim.Won.class, won -> assertThat(won.ownership().isTakenOver()).isTrue());
  }

  @Test
  void aSignOfLifeIsGivenByTheDatabasesClock() {
    Ownership own = StoreUnderTest.won(now.store().claim(request));
    assertThat(later.store().renew(List.of(own))).isEmpty();
    assertThat(later.store().claim(request)).isInstanceOf(Claim.InProgress.class);
  }

  @Test
  void soIsTheSweepsTurn() {
    StoreUnderTest.won(now.store().claim(request));
    Set<String> operations = Set.of(request.operation());
    Duration none = Duration.ZERO;
    assertThat(now.store().takeOverAbandoned(operations, none, LEASE, 10)).isEmpty();
    assertThat(later.store().takeOverAbandoned(operations, none, LEASE, 10)).hasSize(1);
  }

  @Test
  void anOldOwnerIsFencedOffWhateverItsClockSays() throws Exception {
    Ownership late = StoreUnderTest.won(now.store().claim(request));
    StoreUnderTest.won(later.store().claim(request));
    now.begin();
    assertThatExceptionOfType(LeaseLost.class)
        .isThrownBy(() -> now.store().complete(late, StoreUnderTest.response("too late")));
  }

  private static DataSource anHourLater() {
    TestServers servers = TestServers.shared();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(servers.jdbcUrl("shipping"));
    source.setUser(servers.user("shipping"));
    source.setPassword(servers.password());
    source.setOptions("-c search_path=an_hour_later,pg_catalog,public");
    return source;
  }

  private static void sql(String... statements) throws SQLException {
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }
}
