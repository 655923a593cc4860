package io.onceflow.launcher.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a service answered.
 *
 * @param headers by lower-case name, the first value of each
 */
record ApiResponse(int status, Map<String, String> headers, String body) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static ApiResponse of(HttpResponse<String> response) {
    Map<String, String> headers = new HashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(lower(name), values.getFirst()));
    return new ApiResponse(response.statusCode(), headers, response.body());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** A header's value; empty if it was not sent. */
  String header(String name) {
    return headers.getOrDefault(lower(name), "");
  }

  /** The body; a missing node if it is no JSON. */
  JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The body, laid out to be read. */
  List<String> pretty() {
    JsonNode json = json();
    return json.isMissingNode() ? body.lines().toList() : json.toPrettyString().lines().toList();
  }

  /** A field of the body as text; empty if it is not there. */
  String text(String field) {
    return json().path(field).asText();
  }

  @Override
  public String toString() {
    return body.isBlank() ? Integer.toString(status) : status + " " + body;
  }
}
