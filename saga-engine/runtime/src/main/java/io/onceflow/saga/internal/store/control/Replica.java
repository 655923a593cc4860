package io.onceflow.saga.internal.store.control;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs sagas.
 *
 * @param versions that it knows, such as {@code place-order v1}
 * @param build null where a release wrote the row that does not say so; likewise the host
 * @param isLiving whether it was seen within the last half minute
 */
public record Replica(
    UUID id,
    List<String> versions,
    @Nullable String build,
    @Nullable String host,
    Instant startedAt,
    Instant seenAt,
    boolean isLiving,
    ReplicaDetails details) {

  /** A row of a newer release may say more. */
  private static final JsonColumn<ReplicaDetails> DETAILS =
      new JsonColumn<>(
          "saga_replica.details",
          JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build(),
          new TypeReference<>() {});

  static Replica of(Row row) throws SQLException {
    String details = row.text("details");
    return new Replica(
        row.uuid("id"),
        List.of(row.text("known").split(",")),
        row.text("build"),
        row.text("host"),
        row.time("started_at"),
        row.time("seen_at"),
        row.truth("is_living"),
        details == null ? ReplicaDetails.NONE : DETAILS.read(details));
  }

  static String json(ReplicaDetails details) {
    return DETAILS.write(details);
  }

  /** Whether it knows this version. */
  public boolean has(String definition, int version) {
    return versions.contains("%s v%s".formatted(definition, version));
  }
}
