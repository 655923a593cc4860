package io.onceflow.benchmarks.saga.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServiceImageTest {

  /** As {@code docker compose config --format json} prints it. */
  private static final String COMPOSE =
      """
      {"services": {
        "order-service": {
          "image": "onceflow/order-service:1",
          "mem_limit": "402653184", "memswap_limit": "402653184", "pids_limit": 512,
          "read_only": true, "tmpfs": ["/tmp:size=64m,mode=1777"], "cap_drop": ["ALL"],
          "environment": {"JDK_JAVA_OPTIONS": "@/app/small.options", "RABBITMQ_HOST": "rabbitmq"}},
        "payment-service": {
          "image": "onceflow/payment-service:1",
          "mem_limit": "805306368", "memswap_limit": "805306368", "pids_limit": 512,
          "environment": {"RABBITMQ_HOST": "rabbitmq"}}}}
      """;

  @Test
  void runsWithTheBoundsOfComposeAndTheEnvironmentOfItsCaller() throws Exception {
    List<String> command =
        ServiceImage.of(compose(), "order-service")
            .command("bench", Set.of("QUARKUS_HTTP_PORT"), Path.of("/keys/publicKey.pem"));

    assertThat(String.join(" ", command))
        .isEqualTo(
            "docker run --rm --name bench --network host"
                + " --memory 402653184 --memory-swap 402653184 --pids-limit 512 --read-only"
                + " --tmpfs /tmp:size=64m,mode=1777 --cap-drop ALL"
                + " --env JDK_JAVA_OPTIONS=@/app/small.options"
                + " --volume /keys/publicKey.pem:/keys/publicKey.pem:ro --env QUARKUS_HTTP_PORT"
                + " onceflow/order-service:1");
  }

  @Test
  void hasNoOptionsOfTheJvmUnlessComposeHasSome() throws Exception {
    assertThat(ServiceImage.of(compose(), "payment-service").bounds())
        .containsExactly(
            "--memory", "805306368", "--memory-swap", "805306368", "--pids-limit", "512");
  }

  @Test
  void refusesAServiceThatComposeDoesNotKnow() {
    assertThatThrownBy(() -> ServiceImage.of(compose(), "billing-service"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("billing-service");
  }

  private static JsonNode compose() throws IOException {
    return new ObjectMapper().readTree(COMPOSE);
  }
}
