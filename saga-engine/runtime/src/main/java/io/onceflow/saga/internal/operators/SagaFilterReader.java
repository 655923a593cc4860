package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.ws.rs.BadRequestException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a filter of sagas: the query parameters of a list, or the JSON object of a repair. */
public final class SagaFilterReader {

  /** PostgreSQL rejects a NUL. */
  private static final Pattern NAME = Pattern.compile("[!-~]{1,200}");

  private static final Pattern DIRECTION = Pattern.compile("forward|backward");

  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{32}");

  private static final String A_NAME = "a name of 1 to 200 visible ASCII characters";

  private static final Pattern TEXT = Pattern.compile("[^\\x00]{1,200}", Pattern.DOTALL);

  private static final Pattern ATTRIBUTE =
      Pattern.compile("[!-9;-~]{1,64}:.{1,1000}", Pattern.DOTALL);

  /** Longer than anything is kept; the database could not count much longer ones. */
  private static final Duration OLDEST = Duration.ofDays(3650);

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("3000-01-01T00:00:00Z");

  private static final String A_MOMENT = "a moment such as 2026-03-01T08:00:00Z";

  private final Map<String, ? extends @Nullable Object> parts;
  private final Set<String> known = new HashSet<>();

  private SagaFilterReader(Map<String, ? extends @Nullable Object> parts) {
    this.parts = parts;
  }

  /**
   * Reads the parts by their names.
   *
   * @throws BadRequestException that names the part that is wrong, or is not known: left out, the
   *     filter would be about more sagas than was meant
   */
  public static SagaFilter read(Map<String, ? extends @Nullable Object> parts) {
    SagaFilterReader reader = new SagaFilterReader(parts);
    SagaFilter filter = reader.filter();
    for (String part : parts.keySet()) {
      if (!reader.known.contains(part)) {
        throw new BadRequestException("a filter has no part " + part);
      }
    }
    return filter;
  }

  private SagaFilter filter() {
    return new SagaFilter(
        part("status", "one of " + Arrays.toString(SagaStatus.values()), SagaStatus::valueOf),
        part("open", "true or false", SagaFilterReader::truth),
        part("definition", A_NAME, text(NAME)),
        part("version", "a number from 1 on", SagaFilterReader::positive),
        part("step", A_NAME, text(NAME)),
        part("direction", "forward or backward", text(DIRECTION)),
        part("command", A_NAME, text(NAME)),
        part("failure", "the fingerprint of a group of failing sagas", text(FINGERPRINT)),
        part("reason", A_NAME, text(NAME)),
        part(
            "olderThan",
            "an ISO-8601 duration such as PT1H or P2D, from zero to %s days"
                .formatted(OLDEST.toDays()),
            SagaFilterReader::age),
        part("startedAfter", A_MOMENT, SagaFilterReader::moment),
        part("startedBefore", A_MOMENT, SagaFilterReader::moment),
        part("quarantined", "true or false", SagaFilterReader::truth),
        part("held", "true or false", SagaFilterReader::truth),
        part("overdue", "true or false", SagaFilterReader::truth),
        part("subject", "a UUID", UUID::fromString),
        part("customer", "1 to 200 characters", text(TEXT)),
        part("attribute", "a name and a value, such as orderNumber:4711", text(ATTRIBUTE)),
        part("repair", "a UUID", UUID::fromString));
  }

  /** Null where it is absent; a value that is read as null is wrong. */
  private <T> @Nullable T part(String name, String wanted, Function<String, @Nullable T> read) {
    known.add(name);
    Object given = parts.get(name);
    if (given == null) {
      return null;
    }
    try {
      T value = read.apply(given.toString());
      if (value != null) {
        return value;
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new BadRequestException("%s is %s: %s".formatted(name, given, wanted), e);
    }
    throw new BadRequestException("%s is %s: %s".formatted(name, given, wanted));
  }

  private static Function<String, @Nullable String> text(Pattern form) {
    return value -> form.matcher(value).matches() ? value : null;
  }

  private static @Nullable Integer positive(String value) {
    int number = Integer.parseInt(value);
    return number > 0 ? number : null;
  }

  private static @Nullable String age(String value) {
    Duration age = Duration.parse(value);
    return age.isNegative() || age.compareTo(OLDEST) > 0 ? null : value;
  }

  private static @Nullable Instant moment(String value) {
    Instant moment = Instant.parse(value);
    return moment.isAfter(FIRST) && moment.isBefore(LAST) ? moment : null;
  }

  /** Not Boolean.valueOf, which takes any other word for false. */
  private static @Nullable Boolean truth(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }
}
