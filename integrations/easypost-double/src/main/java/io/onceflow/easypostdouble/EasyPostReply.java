package io.onceflow.easypostdouble;

import java.util.List;
import java.util.Map;

/**
 * What a request is answered.
 *
 * @param isLost whether the connection is reset in its place
 */
record EasyPostReply(int status, Map<String, Object> body, boolean isLost) {

  static EasyPostReply ok(Map<String, Object> body) {
    return new EasyPostReply(200, body, false);
  }

  static EasyPostReply created(Map<String, Object> body) {
    return new EasyPostReply(201, body, false);
  }

  /** An error in the form of <a href="https://docs.easypost.com/docs/errors">EasyPost's</a>. */
  static EasyPostReply error(int status, String code, String message) {
    return new EasyPostReply(
        status,
        Map.of("error", Map.of("code", code, "message", message, "errors", List.of())),
        false);
  }

  static EasyPostReply notFound() {
    return error(404, "NOT_FOUND", "The requested resource could not be found.");
  }

  static EasyPostReply tooManyRequests() {
    return error(429, "RATE_LIMITED", "Too many requests.");
  }

  static EasyPostReply unavailable() {
    return error(503, "SERVICE_UNAVAILABLE", "Temporarily unavailable.");
  }

  static EasyPostReply failed() {
    return error(500, "INTERNAL_SERVER_ERROR", "We're sorry, something went wrong.");
  }

  EasyPostReply lost() {
    return new EasyPostReply(status, body, true);
  }
}
