package com.example.giftcards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the application is delivered with. */
@Tag("packaged")
@Timeout(240)
class PackageTest {

  @Test
  void holdsTheGuardAndNothingThatTheGuardDoesNotNeed() throws IOException {
    assertThat(PackagedApplication.libraries())
        .anyMatch(name -> name.contains("onceflow-http"))
        .noneMatch(name -> name.contains("amqp-client"))
        .noneMatch(name -> name.contains("rabbitmq"))
        .noneMatch(name -> name.contains("reactive-messaging"))
        .noneMatch(name -> name.contains("openapi"));
  }

  @Test
  void holdsTheModulesOfTheGuardAndNoOthersOfOnceflow() throws IOException {
    assertThat(PackagedApplication.libraries())
        .filteredOn(name -> name.startsWith("io.onceflow"))
        .map(name -> name.replaceAll(".*(onceflow-[a-z]+)-.*", "$1"))
        .containsExactlyInAnyOrder(
            "onceflow-core", "onceflow-support", "onceflow-http", "onceflow-redis");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hybrid", "redis"})
  void doesNotStartWithoutTheRedisThatItIsToldToUse(String store) throws Exception {
    assertThat(
            PackagedApplication.startInVain(
                Map.of("ONCEFLOW_IDEMPOTENCY_STORE", store, "BANK_URL", "http://localhost:1")))
        .contains(
            "onceflow.idempotency.store is " + store + ", but no Redis is configured",
            "set quarkus.redis.hosts");
  }
}
