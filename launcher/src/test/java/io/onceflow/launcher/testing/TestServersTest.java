package io.onceflow.launcher.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.ConnectException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("nightly")
class TestServersTest {

  private final TestServers servers = TestServers.shared();

  @ParameterizedTest
  @ValueSource(strings = {"orders", "payments", "shipping"})
  void haveADatabaseForEachService(String database) throws SQLException {
    String url = servers.jdbcUrl(database);
    try (var connection =
        DriverManager.getConnection(url, servers.user(database), servers.password())) {
      assertThat(connection.getCatalog()).isEqualTo(database);
    }
  }

  @Test
  void bringTheBrokerBackOnItsPort() throws Exception {
    connect().close();
    servers.stopBroker();
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    servers.startBroker();
    connect().close();
  }

  @Test
  void areOnePairForTheWholeJvm() {
    assertThat(TestServers.shared().brokerPort()).isEqualTo(servers.brokerPort());
    assertThat(TestServers.shared().jdbcUrl("orders")).isEqualTo(servers.jdbcUrl("orders"));
  }

  @Test
  void outliveWhoeverClosesTheSharedOnes() throws Exception {
    TestServers.shared().close();
    connect().close();
  }

  @Test
  void tellAServiceUnderTestWhereTheyAre() {
    ServersResource resource = new ServersResource();
    resource.init(Map.of("database", "payments"));
    assertThat(resource.start())
        .containsEntry("quarkus.datasource.jdbc.url", servers.jdbcUrl("payments"))
        .containsEntry("quarkus.datasource.username", "payments")
        .containsEntry("rabbitmq-port", Integer.toString(servers.brokerPort()))
        .containsEntry("mp.jwt.verify.publickey", TestTokens.publicKey())
        .containsEntry("mp.jwt.verify.issuer", "https://onceflow.local");
  }

  @Test
  void refuseADatabaseThatNoServiceHas() {
    assertThatThrownBy(() -> new ServersResource().init(Map.of("database", "order")))
        .hasMessageContaining("[orders, payments, shipping]");
  }

  private Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    return factory.newConnection();
  }
}
