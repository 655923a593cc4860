package io.onceflow.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class TestPostgresTest {

  private static final DataSource DATABASE = TestPostgres.database("parcels", "db/parcels");

  @Test
  void hasTheTablesOfOnceflowAndOfTheApplication() throws SQLException {
    assertThat(tables())
        .contains("inbox_message", "outbox_message", "parked_message", "saga_instance", "parcel");
  }

  @Test
  void isOneForAllTestsThatNameIt() {
    assertThat(TestPostgres.database("parcels", "db/parcels")).isSameAs(DATABASE);
  }

  @Test
  void refusesANameThatWouldHaveToBeQuoted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestPostgres.database("Parcels; DROP"))
        .withMessageContaining("small letters");
  }

  @Test
  void anApplicationUnderTestGetsItsOwnDatabase() {
    OnceflowTestResource resource = new OnceflowTestResource();
    resource.init(Map.of("database", "parcel_service"));

    assertThat(resource.start())
        .containsEntry("quarkus.datasource.username", "parcel_service")
        .doesNotContainKey("rabbitmq-host");
  }

  @Test
  void anApplicationThatAsksForABrokerGetsOne() {
    OnceflowTestResource resource = new OnceflowTestResource();
    resource.init(Map.of("broker", "true"));

    assertThat(resource.start()).containsEntry("rabbitmq-username", "onceflow");
  }

  private static List<String> tables() throws SQLException {
    try (Connection connection = DATABASE.getConnection();
        ResultSet rows = connection.getMetaData().getTables(null, "public", "%", null)) {
      List<String> tables = new ArrayList<>();
      while (rows.next()) {
        tables.add(rows.getString("TABLE_NAME"));
      }
      return tables;
    }
  }
}
