package io.onceflow.saga.internal.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where services are can be told by the environment, which knows no dashes. */
class ServicesConfigTest {

  private static final String NAME = "onceflow.services.payment-service";
  private static final Map<String, String> ENVIRONMENT =
      Map.of("ONCEFLOW_SERVICES_PAYMENT_SERVICE", "http://payments:8081");

  @Test
  void aNameThatIsListedTakesItsUrlFromTheEnvironment() {
    assertThat(urls(ENVIRONMENT, Map.of(NAME, "")))
        .isEqualTo(Map.of("payment-service", Optional.of(URI.create("http://payments:8081"))));
    assertThat(urls(ENVIRONMENT, Map.of(NAME, "http://localhost:8081")))
        .isEqualTo(Map.of("payment-service", Optional.of(URI.create("http://payments:8081"))));
  }

  @Test
  void aNameThatIsListedHasNoUrlByItself() {
    assertThat(urls(Map.of(), Map.of(NAME, "")))
        .isEqualTo(Map.of("payment-service", Optional.empty()));
  }

  /** So it has to be listed, or named by the key itself, which containers can set. */
  @Test
  void aNameThatIsNotListedLosesItsDash() {
    assertThat(urls(ENVIRONMENT, Map.of())).containsOnlyKeys("payment.service");
    assertThat(urls(Map.of(NAME, "http://payments:8081"), Map.of()))
        .containsOnlyKeys("payment-service");
  }

  private static Map<String, Optional<URI>> urls(
      Map<String, String> environment, Map<String, String> properties) {
    return new SmallRyeConfigBuilder()
        .withMapping(ServicesConfig.class)
        .withSources(
            new EnvConfigSource(environment, 300),
            new PropertiesConfigSource(properties, "application.properties", 250))
        .build()
        .getConfigMapping(ServicesConfig.class)
        .urls();
  }
}
