package io.onceflow.systemtests;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Valid headers, and unusual or invalid ones. */
final class OddHeaders {

  private static final List<String> CONTENT_TYPES =
      List.of(
          "text/plain",
          "application/xml",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/json; charset=utf-16",
          "application/json; charset=nonsense",
          "application/problem+json",
          "application/*",
          "json",
          "/",
          ";",
          "",
          "application/json; a=\"",
          "application/json, text/plain");

  private static final List<String> NAMES =
      List.of(
          "Accept",
          "Accept-Language",
          "Accept-Charset",
          "Accept-Encoding",
          "Content-Encoding",
          "Prefer",
          "If-Match",
          "If-None-Match",
          "If-Modified-Since",
          "Range",
          "Cookie",
          "Origin",
          "Referer",
          "User-Agent",
          "X-Forwarded-For",
          "X-HTTP-Method-Override",
          "Forwarded",
          "traceparent",
          "tracestate",
          "baggage",
          "Content-Language",
          "Date");

  private static final List<String> VALUES =
      List.of(
          "*/*",
          "text/html",
          "application/xml",
          "*/json",
          "a/b;q=nonsense",
          ",,,;;;",
          "wait=1",
          "wait=99999999999999999999",
          "wait=-1",
          "respond-async, wait=0",
          "gzip, deflate",
          "br",
          "bytes=0-,-1",
          "00-00000000000000000000000000000000-0000000000000000-00",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
          "xx-yy",
          "\"",
          "Thu, 32 Foo 2026 99:99:99 GMT");

  private static final List<String> METHODS =
      List.of(
          "GET",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "BREW",
          "FOO",
          "PROPFIND",
          "M-SEARCH",
          "get",
          "PRI");

  private OddHeaders() {}

  /** A header that the document speaks of. */
  static Optional<String> described(String name, Dice dice) {
    if (dice.chance(0.05)) {
      return Optional.empty();
    }
    String value = name.equalsIgnoreCase("Idempotency-Key") ? key(dice) : odd(dice);
    return Optional.of(name + ": " + value);
  }

  /** Mostly the right one. */
  static String contentType(Dice dice) {
    return dice.chance(0.9) ? "application/json" : dice.oneOf(CONTENT_TYPES);
  }

  /** One that there is, one that others have, or, as often, one that there was never before. */
  static String method(Dice dice) {
    return dice.chance(0.5)
        ? "X" + Long.toString(Math.abs(dice.any()), Character.MAX_RADIX).toUpperCase(Locale.ROOT)
        : dice.oneOf(METHODS);
  }

  /** Adds headers that no service reads. */
  static void add(List<String> headers, Dice dice) {
    for (int left = dice.below(3); left > 0; left--) {
      headers.add(dice.oneOf(NAMES) + ": " + odd(dice));
    }
    if (dice.chance(0.02)) {
      headers.add("Idempotency-Key: " + key(dice));
    }
    if (dice.chance(0.01)) {
      headers.add("Authorization: Bearer " + line(Rubbish.text(dice)));
    }
    if (dice.chance(0.01)) {
      headers.add("X-Long: " + "x".repeat(dice.between(1, 20_000)));
    }
  }

  private static String key(Dice dice) {
    String fresh = new UUID(dice.any(), dice.any()).toString();
    return switch (dice.below(10)) {
      case 0 -> line(Rubbish.text(dice));
      case 1 -> "\"" + line(Rubbish.text(dice)) + "\"";
      case 2 -> "\"" + fresh;
      case 3 -> "\"" + fresh + "\"";
      default -> fresh;
    };
  }

  private static String odd(Dice dice) {
    return dice.chance(0.6) ? dice.oneOf(VALUES) : line(Rubbish.text(dice));
  }

  /** In one line; what a line must not hold otherwise is left in. */
  private static String line(String text) {
    String line = text.replaceAll("[\r\n]", "");
    return line.length() > 4_000 ? line.substring(0, 4_000) : line;
  }
}
