package io.onceflow.saga.internal.messaging;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Why a participant refuses a step, as a word in a saga's history. */
public final class RefusalReason {

  /** The longest name in a history; a longer reason is given in the reply's text. */
  private static final int LONGEST = 64;

  private RefusalReason() {}

  /** The reply's {@code reason}, else its type: {@code NO_SEATS_LEFT}, {@code FLIGHT_REFUSED}. */
  public static String of(String type, JsonNode body) {
    String reason = words(body.path("reason").asText(""));
    return reason.isEmpty() ? words(type.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")) : reason;
  }

  private static String words(String text) {
    String words =
        text.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_|_$", "").toUpperCase(Locale.ROOT);
    return words.substring(0, Math.min(LONGEST, words.length()));
  }
}
