package io.onceflow.idempotency.internal.request;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header {@code Prefer} (RFC 7240). Only the preference {@code wait} is supported; others
 * are ignored, as §2 of the RFC requires.
 */
public final class Preferences {

  public static final String HEADER = "Prefer";

  private static final Pattern WAIT = Pattern.compile("(?i)\\s*wait\\s*=\\s*\"?(\\d{1,6})\"?\\s*");
  private static final Pattern BARE_WAIT = Pattern.compile("(?i)\\s*wait\\s*");

  private Preferences() {}

  /** How long the caller would wait; {@code wait} without a value means as long as possible. */
  static Optional<Duration> wait(@Nullable List<String> headers) {
    return Stream.ofNullable(headers)
        .flatMap(List::stream)
        .flatMap(header -> Stream.of(header.split("[,;]")))
        .flatMap(preference -> read(preference).stream())
        .findFirst();
  }

  private static Optional<Duration> read(String preference) {
    Matcher wait = WAIT.matcher(preference);
    if (wait.matches()) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(wait.group(1))));
    }
    return BARE_WAIT.matcher(preference).matches()
        ? Optional.of(Duration.ofDays(1))
        : Optional.empty();
  }
}
