package io.onceflow.internal.database;

import static io.onceflow.internal.database.FailureKind.DATABASE_AWAY;
import static io.onceflow.internal.database.FailureKind.OTHER;
import static io.onceflow.internal.database.FailureKind.RACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureKindTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08006", "08001", "25006", "25P03", "28P01", "3D000", "53100", "53200", "53300", "57P01",
        "57P02", "57P03", "57P05", "58030", "99999"
      })
  void waitsForADatabaseThatIsAway(String state) {
    assertThat(FailureKind.of(new SQLException("away", state))).isEqualTo(DATABASE_AWAY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03", "57014", "26000"})
  void triesAgainWhatLostARace(String state) {
    assertThat(FailureKind.of(new SQLException("race", state))).isEqualTo(RACE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "23514", "22021", "0A000", "22P02", "42P01", "42703", ""})
  void blamesTheMessageForWhatTheDatabaseWillNeverTake(String state) {
    assertThat(FailureKind.of(new SQLException("no", state))).isEqualTo(OTHER);
  }

  @Test
  void blamesTheMessageForAnythingElse() {
    assertThat(FailureKind.of(new IllegalArgumentException("no"))).isEqualTo(OTHER);
    assertThat(FailureKind.of(new StackOverflowError())).isEqualTo(OTHER);
  }

  @Test
  void waitsForAPoolThatHasNoConnection() {
    SQLException fromPool = new SQLException("no connection in time", new TimeoutException());
    assertThat(FailureKind.of(fromPool)).isEqualTo(DATABASE_AWAY);
  }

  /** Waited for, a message whose handler has such a mistake would hold up all others for ever. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ResultSet is closed",
        "Attempting to commit while taking part in a transaction",
        "no such flight"
      })
  void blamesTheMessageForAMistakeThatNoDatabaseHasSeen(String mistake) {
    assertThat(FailureKind.of(new SQLException(mistake))).isEqualTo(OTHER);
  }

  @Test
  void waitsForAPoolThatGivesNoConnection() throws SQLException {
    AgroalDataSource pool = pool();
    try (pool) {
      assertThat(FailureKind.of(catchThrowable(pool::getConnection))).isEqualTo(DATABASE_AWAY);
    }
    assertThat(FailureKind.of(catchThrowable(pool::getConnection)))
        .as("when it is closed")
        .isEqualTo(DATABASE_AWAY);
  }

  /** Of a server that is not there. */
  private static AgroalDataSource pool() throws SQLException {
    return AgroalDataSource.from(
        new AgroalDataSourceConfigurationSupplier()
            .connectionPoolConfiguration(
                pool ->
                    pool.maxSize(1)
                        .acquisitionTimeout(Duration.ofMillis(200))
                        .connectionFactoryConfiguration(
                            factory -> factory.jdbcUrl("jdbc:postgresql://localhost:1/none"))));
  }

  @Test
  void looksBehindThePoolForWhatTheDatabaseSaid() {
    Exception refused = new IllegalStateException(new SQLException("away", "08006"));
    assertThat(FailureKind.of(new SQLException("not enlisted", refused))).isEqualTo(DATABASE_AWAY);
  }

  @Test
  void asksThePoolForWhatTheDatabaseSaid() {
    SQLException violated = new SQLException("no", "23505");
    assertThat(FailureKind.of(new SQLException("from the pool", violated))).isEqualTo(OTHER);
  }

  @Test
  void believesTheDriverThatItIsTransient() {
    assertThat(FailureKind.of(new SQLTransientConnectionException("x"))).isEqualTo(DATABASE_AWAY);
    assertThat(FailureKind.of(new SQLRecoverableException("x"))).isEqualTo(DATABASE_AWAY);
  }

  @Test
  void looksForTheCauseWhereverItIsWrapped() {
    SQLException away = new SQLException("away", "08006");
    RuntimeException wrapped = new IllegalStateException(new RuntimeException(away));
    assertThat(FailureKind.of(wrapped)).isEqualTo(DATABASE_AWAY);
  }

  @Test
  void looksAtWhatACommitSuppressed() {
    RuntimeException rolledBack = new IllegalStateException("the transaction was rolled back");
    rolledBack.addSuppressed(new IllegalStateException(new SQLException("away", "08006")));
    assertThat(FailureKind.of(new IllegalStateException(rolledBack))).isEqualTo(DATABASE_AWAY);
  }
}
