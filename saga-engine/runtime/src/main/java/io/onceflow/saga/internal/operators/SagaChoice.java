package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** Which sagas an operator requests, by the query parameters. */
public class SagaChoice {

  /** An operator can look through so many, and one query reads them. */
  private static final int LARGEST_PAGE = 500;

  /** Longer than anything is kept; the database could not count much longer ones. */
  private static final Duration OLDEST = Duration.ofDays(3650);

  private static final Pattern NAME = Pattern.compile("[!-~]{1,200}");

  @QueryParam("status")
  @Parameter(schema = @Schema(implementation = SagaStatus.class))
  @Nullable String status;

  @QueryParam("quarantined")
  @Parameter(
      description =
          "true for sagas in quarantine: handling them failed again and again, and their timers"
              + " rest; false for the others.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String quarantined;

  @QueryParam("definition")
  @Parameter(description = "The definition's name, such as place-order.")
  @Nullable String definition;

  @QueryParam("olderThan")
  @Parameter(description = "Started at least this long ago: an ISO-8601 duration such as PT1H.")
  @Nullable String olderThan;

  @QueryParam("limit")
  @DefaultValue("100")
  @Parameter(schema = @Schema(minimum = "1", maximum = "500", defaultValue = "100"))
  int limit;

  @QueryParam("cursor")
  @Parameter(description = "`next` of the page before.")
  @Nullable UUID cursor;

  /** How many are to be shown at most. */
  int limit() {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new BadRequestException("limit is %d: 1 to %d".formatted(limit, LARGEST_PAGE));
    }
    return limit;
  }

  /** The choice, and one more saga than is to be shown: it tells whether there is a next page. */
  SagaFilter filter() {
    return filter(status());
  }

  /** The filter with this status, which replaces the status of the query. */
  SagaFilter filter(@Nullable SagaStatus only) {
    return new SagaFilter(only, definition(), age(), quarantined(), cursor, limit() + 1);
  }

  /** Null when the query does not say. */
  @Nullable Boolean quarantined() {
    return switch (quarantined) {
      case null -> null;
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BadRequestException("quarantined is %s: true or false".formatted(quarantined));
    };
  }

  /** Null when the query does not say. */
  @Nullable SagaStatus status() {
    return status == null
        ? null
        : Arrays.stream(SagaStatus.values())
            .filter(known -> known.name().equals(status))
            .findAny()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "status is %s: one of %s"
                            .formatted(status, Arrays.toString(SagaStatus.values()))));
  }

  /** A string that is no valid name is not queried: PostgreSQL rejects a NUL. */
  private @Nullable String definition() {
    if (definition != null && !NAME.matcher(definition).matches()) {
      throw new BadRequestException("definition is the name of one, such as place-order");
    }
    return definition;
  }

  private @Nullable Duration age() {
    if (olderThan == null) {
      return null;
    }
    try {
      Duration age = Duration.parse(olderThan);
      if (!age.isNegative() && age.compareTo(OLDEST) <= 0) {
        return age;
      }
    } catch (DateTimeException e) {
      throw new BadRequestException(noAge(), e);
    }
    throw new BadRequestException(noAge());
  }

  private String noAge() {
    return "olderThan is %s: an ISO-8601 duration such as PT1H or P2D, from zero to %d days"
        .formatted(olderThan, OLDEST.toDays());
  }
}
