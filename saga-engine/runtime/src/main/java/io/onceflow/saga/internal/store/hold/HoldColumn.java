package io.onceflow.saga.internal.store.hold;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.sql.Sql.Row;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The JSON of a hold, as {@link HeldSagas} and the table of definitions write it. */
public final class HoldColumn {

  private static final ObjectMapper JSON = new ObjectMapper();

  private HoldColumn() {}

  /** The hold of a row that was read with its column {@code hold}; null if it is on none. */
  public static @Nullable Hold of(Row row) throws SQLException {
    String text = row.text("hold");
    return text == null ? null : read(text);
  }

  private static Hold read(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return new Hold(
          Instant.parse(json.required("since").textValue()),
          json.required("by").textValue(),
          json.path("reason").textValue(),
          json.hasNonNull("until") ? Instant.parse(json.path("until").textValue()) : null,
          json.path("definition").asBoolean());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException("a hold cannot be read: " + e.getMessage(), e);
    }
  }
}
