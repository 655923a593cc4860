package io.onceflow.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Turns what a guarded method returned into the bytes that are stored and sent. */
@ApplicationScoped
class ResponseRenderer {

  private static final byte[] NOTHING = {};

  private final ObjectMapper json;

  ResponseRenderer(ObjectMapper json) {
    this.json = json;
  }

  StoredResponse render(@Nullable Object result) {
    return switch (result) {
      case null -> new StoredResponse(204, Map.of(), NOTHING);
      case Response response -> render(response);
      case RestResponse<?> response -> render(response.toResponse());
      default -> render(Response.ok(result).build());
    };
  }

  private StoredResponse render(Response response) {
    byte[] body = body(response.getEntity());
    Map<String, List<String>> headers = new LinkedHashMap<>();
    response.getStringHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    if (body.length > 0) {
      headers.putIfAbsent(HttpHeaders.CONTENT_TYPE, List.of(MediaType.APPLICATION_JSON));
    }
    return new StoredResponse(response.getStatus(), headers, body);
  }

  private byte[] body(@Nullable Object entity) {
    return switch (entity) {
      case null -> NOTHING;
      case byte[] bytes -> bytes;
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      default -> json(entity);
    };
  }

  private byte[] json(Object entity) {
    try {
      return json.writeValueAsBytes(entity);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "%s cannot be stored: a guarded method returns what can be written as JSON, text or bytes"
              .formatted(entity.getClass().getName()),
          e);
    }
  }
}
