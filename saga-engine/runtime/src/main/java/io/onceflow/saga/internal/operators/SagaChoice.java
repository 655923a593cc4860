package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
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

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("3000-01-01T00:00:00Z");

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

  @QueryParam("version")
  @Parameter(description = "The definition's version.", schema = @Schema(type = SchemaType.INTEGER))
  @Nullable String version;

  @QueryParam("step")
  @Parameter(description = "The step that they wait for now, such as process-payment.")
  @Nullable String step;

  @QueryParam("reason")
  @Parameter(description = "Why they are or were undone, such as PAYMENT_DECLINED.")
  @Nullable String reason;

  @QueryParam("overdue")
  @Parameter(
      description =
          "true for those whose timer should have been served ten seconds ago, or whose deadline"
              + " has passed.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String overdue;

  @QueryParam("startedAfter")
  @Parameter(description = "Not before this moment, such as 2026-03-01T08:00:00Z.")
  @Nullable String startedAfter;

  @QueryParam("startedBefore")
  @Parameter(description = "Before this moment.")
  @Nullable String startedBefore;

  @QueryParam("subject")
  @Parameter(description = "The id of what they are about, such as an order's.")
  @Nullable UUID subject;

  @QueryParam("customer")
  @Parameter(description = "Whose they are: the scope of the idempotency key. Operators only.")
  @Nullable String customer;

  @QueryParam("attribute")
  @Parameter(
      description =
          "What they were started with, as name:value, where their definition declares it as"
              + " searchable. Operators only.",
      example = "orderNumber:4711")
  @Nullable String attribute;

  @QueryParam("order")
  @Parameter(
      description = "oldest first, which is the default, or newest.",
      schema = @Schema(enumeration = {"oldest", "newest"}))
  @Nullable String order;

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
      throw new BadRequestException("limit is %s: 1 to %s".formatted(limit, LARGEST_PAGE));
    }
    return limit;
  }

  /** The choice, and one more saga than is to be shown: it tells whether there is a next page. */
  SagaFilter filter() {
    return filter(status());
  }

  /** The filter with this status, which replaces the status of the query. */
  SagaFilter filter(@Nullable SagaStatus only) {
    return new SagaFilter(
        only,
        new SagaFilter.Definition(name("definition", definition), version()),
        name("step", step),
        name("reason", reason),
        quarantined(),
        Boolean.TRUE.equals(truth("overdue", overdue)),
        new SagaFilter.Started(
            age(), moment("startedAfter", startedAfter), moment("startedBefore", startedBefore)),
        new SagaFilter.Business(subject, text("customer", customer), attribute()),
        new SagaFilter.Page(cursor, isNewestFirst(), limit() + 1));
  }

  /** Whether the query asks for what only operators may see. */
  boolean asksForPersonalData() {
    return customer != null || attribute != null;
  }

  /** Null when the query does not say. */
  @Nullable Boolean quarantined() {
    return truth("quarantined", quarantined);
  }

  private static @Nullable Boolean truth(String parameter, @Nullable String value) {
    return switch (value) {
      case null -> null;
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BadRequestException("%s is %s: true or false".formatted(parameter, value));
    };
  }

  private boolean isNewestFirst() {
    return switch (order) {
      case null -> false;
      case "oldest" -> false;
      case "newest" -> true;
      default -> throw new BadRequestException("order is %s: oldest or newest".formatted(order));
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

  private SagaFilter.@Nullable Attribute attribute() {
    String given = attribute;
    return given == null
        ? null
        : SagaFilter.Attribute.of(given)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "attribute is %s: a name and a value, such as orderNumber:4711"
                            .formatted(given)));
  }

  /** A string that is no valid name is not queried: PostgreSQL rejects a NUL. */
  private static @Nullable String name(String parameter, @Nullable String value) {
    if (value != null && !NAME.matcher(value).matches()) {
      throw new BadRequestException(
          "%s is the name of one: 1 to 200 visible ASCII characters".formatted(parameter));
    }
    return value;
  }

  private static @Nullable String text(String parameter, @Nullable String value) {
    if (value != null && (value.isEmpty() || value.length() > 200 || value.indexOf(0) >= 0)) {
      throw new BadRequestException("%s has 1 to 200 characters".formatted(parameter));
    }
    return value;
  }

  private @Nullable Integer version() {
    if (version == null) {
      return null;
    }
    try {
      return Integer.valueOf(version);
    } catch (NumberFormatException e) {
      throw new BadRequestException("version is %s: a number from 1 on".formatted(version), e);
    }
  }

  private static @Nullable Instant moment(String parameter, @Nullable String value) {
    if (value == null) {
      return null;
    }
    try {
      Instant moment = Instant.parse(value);
      if (moment.isAfter(FIRST) && moment.isBefore(LAST)) {
        return moment;
      }
    } catch (DateTimeException e) {
      throw new BadRequestException(noMoment(parameter, value), e);
    }
    throw new BadRequestException(noMoment(parameter, value));
  }

  private static String noMoment(String parameter, String value) {
    return "%s is %s: a moment such as 2026-03-01T08:00:00Z".formatted(parameter, value);
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
    return "olderThan is %s: an ISO-8601 duration such as PT1H or P2D, from zero to %s days"
        .formatted(olderThan, OLDEST.toDays());
  }
}
