package io.onceflow.saga.internal.store.view;

import static java.util.Objects.requireNonNull;

import io.onceflow.sql.Sql.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Open sagas that fail of the same: of one definition, at one step or its compensation, with errors
 * that differ in numbers, ids and quoted values alone.
 *
 * @param fingerprint of these parts; a list or a repair finds the sagas by it
 * @param step that they wait for, or for the compensation of which; null where they are in
 *     quarantine and wait for none
 * @param direction {@code forward} or {@code backward}; null where they wait for no step
 * @param kind {@code no-answer} where the message was resent and not answered, {@code refused}
 *     where what may not be refused was, {@code quarantined} where handling the saga fails
 * @param error what the last errors have in common; null where there was no answer
 * @param count how many there are
 * @param firstAt when the message of the first of them was sent, or it came into quarantine
 * @param lastAt likewise, of the last
 * @param samples ids of the newest
 */
@Schema(name = "GroupOfFailingSagas")
public record FailureGroup(
    String fingerprint,
    String definition,
    @Nullable String step,
    @Nullable String direction,
    String kind,
    @Nullable String error,
    int count,
    Instant firstAt,
    Instant lastAt,
    List<UUID> samples) {

  static FailureGroup of(Row row) throws SQLException {
    return new FailureGroup(
        requireNonNull(row.text("fingerprint")),
        requireNonNull(row.text("definition")),
        row.text("name"),
        row.text("direction"),
        requireNonNull(row.text("kind")),
        row.text("cause"),
        row.integer("sagas"),
        requireNonNull(row.time("first_at")),
        requireNonNull(row.time("last_at")),
        Arrays.stream(requireNonNull(row.text("samples")).split(","))
            .map(UUID::fromString)
            .toList());
  }
}
