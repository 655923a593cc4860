package io.onceflow.idempotency.internal.request;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the caller prefers ({@code Prefer}, RFC 7240). Of all preferences only {@code wait} means
 * something here; what cannot be read is ignored, as §2 of the RFC asks.
 */
public final class Preferences {

  public static final String HEADER = "Prefer";

  private static final Pattern WAIT = Pattern.compile("(?i)\\s*wait\\s*=\\s*\"?(\\d{1,6})\"?\\s*");
  private static final Pattern BARE_WAIT = Pattern.compile("(?i)\\s*wait\\s*");

  private Preferences() {}

  /** How long the caller would wait; a bare {@code wait} stands for as long as may be. */
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
