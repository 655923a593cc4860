package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that names no servers, where there is no Docker engine. */
@Tag("nightly")
class EmbeddedDevServicesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .overrideConfigKey("quarkus.application.name", "without-settings")
          .overrideConfigKey("onceflow.devservices.containers", "false")
          .withApplicationRoot(jar -> jar.addClasses(Airline.class, Flights.class, Messages.class));

  @Inject DataSource database;
  @Inject BrokerConnection broker;

  @Test
  void givesItADatabaseOfItsName() throws SQLException {
    try (var connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT current_database(), count(*) FROM inbox_message")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("without-settings");
      assertThat(row.getInt(2)).isZero();
    }
  }

  @Test
  void givesItABroker() throws Exception {
    try (Connection connection = broker.connect("test")) {
      assertThat(connection.isOpen()).isTrue();
    }
  }
}
