package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A command that was begun by an earlier version, and is taken over by this one. */
class StoredEnvelopeTest {

  private static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  private static final InboundMessage MESSAGE =
      InboundMessage.read(
          new Delivery(
              "payments.commands",
              "message-1",
              "TakeMoney",
              "saga-1",
              "orders",
              Map.of(
                  "x-idempotency-key", "key-1",
                  "x-idempotency-scope", "ada",
                  "x-expires-at", "2026-11-26T12:00:00Z",
                  "x-await-within", "60"),
              "{}".getBytes(StandardCharsets.UTF_8),
              () -> {}));

  /** Seen red: it was read without its key. */
  @Test
  void isReadAsAnApplicationHasNamedItsPropertiesInSnakeCase() throws Exception {
    String stored =
        JsonMapper.builder()
            .findAndAddModules()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build()
            .writeValueAsString(MESSAGE);

    assertThat(stored).contains("root_key");
    assertThat(JSON.readValue(stored, InboundMessage.class)).isEqualTo(MESSAGE);
  }
}
