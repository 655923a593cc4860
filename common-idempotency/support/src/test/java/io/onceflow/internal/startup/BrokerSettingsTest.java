package io.onceflow.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerSettingsTest {

  @Test
  void aServiceThatWasNotToldOfItsBrokerNamesWhatIsMissing() {
    assertThat(BrokerSettings.missing(config(Map.of("rabbitmq-host", " "))))
        .containsExactly("RABBITMQ_HOST", "RABBITMQ_USERNAME", "RABBITMQ_PASSWORD");
  }

  @Test
  void aServiceThatWasToldOfItsBrokerStarts() {
    assertThat(
            BrokerSettings.missing(
                config(
                    Map.of(
                        "rabbitmq-host", "broker",
                        "rabbitmq-username", "payment-service",
                        "rabbitmq-password", "secret"))))
        .isEmpty();
  }

  @Test
  void aProcessThatOnlyMigratesNeedsNoBroker() {
    assertThat(BrokerSettings.missing(config(Map.of("quarkus.init-and-exit", "true")))).isEmpty();
  }

  @Test
  void anApplicationWithoutABrokerNeedsNoSettingsOfOne() {
    assertThat(BrokerSettings.missing(config(Map.of("onceflow.transport", "local")))).isEmpty();
  }

  @Test
  void onKafkaItIsKafkasAddressThatIsNeeded() {
    assertThat(BrokerSettings.missing(config(Map.of("onceflow.transport", "kafka"))))
        .containsExactly("KAFKA_BOOTSTRAP_SERVERS");
    assertThat(
            BrokerSettings.missing(
                config(
                    Map.of(
                        "onceflow.transport", "kafka",
                        "kafka.bootstrap.servers", "broker:9092"))))
        .isEmpty();
  }

  private static SmallRyeConfig config(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(settings, "test", 100))
        .build();
  }
}
