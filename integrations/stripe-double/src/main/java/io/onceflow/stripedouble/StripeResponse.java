package io.onceflow.stripedouble;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request is answered.
 *
 * @param isSaved whether a repeat under the same key gets it again: so does everything that was
 *     carried out, whatever its outcome, but no request that was refused before
 * @param isLost whether the connection is reset in its place
 */
record StripeResponse(int status, Map<String, Object> body, boolean isSaved, boolean isLost) {

  static StripeResponse ok(Map<String, Object> body) {
    return new StripeResponse(200, body, true, false);
  }

  /** An error that occurred while the request was carried out. */
  static StripeResponse error(int status, String type, String code, String message) {
    return new StripeResponse(status, errorBody(type, code, message, null), true, false);
  }

  /** A refusal of a card, which leaves its payment intent behind. */
  static StripeResponse cardError(
      String code, @Nullable String declineCode, Map<String, Object> intent) {
    Map<String, Object> body =
        errorBody("card_error", code, "Your card was declined.", declineCode);
    @SuppressWarnings("unchecked")
    Map<String, Object> error = (Map<String, Object>) body.get("error");
    error.put("payment_intent", intent);
    return new StripeResponse(402, body, true, false);
  }

  /** A refusal before the request was carried out. */
  static StripeResponse refused(int status, String type, String code, String message) {
    return new StripeResponse(status, errorBody(type, code, message, null), false, false);
  }

  StripeResponse lost() {
    return new StripeResponse(status, body, isSaved, true);
  }

  private static Map<String, Object> errorBody(
      String type, String code, String message, @Nullable String declineCode) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("type", type);
    error.put("code", code);
    error.put("message", message);
    if (declineCode != null) {
      error.put("decline_code", declineCode);
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", error);
    return body;
  }
}
