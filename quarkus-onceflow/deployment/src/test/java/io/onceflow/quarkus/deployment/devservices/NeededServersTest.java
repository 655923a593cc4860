package io.onceflow.quarkus.deployment.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NeededServersTest {

  private static final int LIBRARY = 100;
  private static final int APPLICATION = 250;

  @Test
  void areBothWhereNothingIsNamed() {
    assertThat(needed(Map.of(), APPLICATION)).isEqualTo(new NeededServers(true, true));
  }

  @Test
  void areNotThoseThatTheApplicationNames() {
    assertThat(needed(Map.of("rabbitmq-host", "rabbit"), APPLICATION).broker()).isFalse();
    assertThat(needed(Map.of("rabbitmq-port", "5671"), APPLICATION).broker()).isFalse();
    assertThat(needed(Map.of("quarkus.datasource.jdbc.url", "jdbc:"), APPLICATION).database())
        .isFalse();
  }

  @Test
  void areThoseThatOnlyALibraryNames() {
    assertThat(needed(Map.of("rabbitmq-host", "localhost"), LIBRARY).broker()).isTrue();
  }

  @Test
  void areNoBrokerWhereMessagesStayInTheApplication() {
    assertThat(needed(Map.of("onceflow.transport", "local"), APPLICATION))
        .isEqualTo(new NeededServers(false, true));
  }

  @Test
  void areNoDatabaseWhereItsDevServiceIsOff() {
    Map<String, String> off = Map.of("quarkus.datasource.devservices.enabled", "false");
    assertThat(needed(off, APPLICATION)).isEqualTo(new NeededServers(true, false));
  }

  private static NeededServers needed(Map<String, String> settings, int ordinal) {
    return NeededServers.of(
        new SmallRyeConfigBuilder()
            .withSources(new PropertiesConfigSource(settings, "test", ordinal))
            .build(),
        true);
  }
}
