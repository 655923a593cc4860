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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns what a guarded method returned into the bytes that are stored and sent. */
@ApplicationScoped
class ResponseRenderer {

  private static final byte[] NOTHING = {};

  private final ObjectMapper json;

  ResponseRenderer(ObjectMapper json) {
    this.json = json;
  }

  /**
   * @param response null stands for 204, as everywhere in JAX-RS
   * @param produces the media type of a body to which the method gave none
   */
  StoredResponse render(@Nullable Response response, Optional<String> produces) {
    if (response == null) {
      return new StoredResponse(204, Map.of(), NOTHING);
    }
    byte[] body = body(response.getEntity());
    Map<String, List<String>> headers = new LinkedHashMap<>();
    response.getStringHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    if (body.length > 0) {
      headers.put(HttpHeaders.CONTENT_TYPE, List.of(contentType(response, produces).toString()));
    }
    return new StoredResponse(response.getStatus(), headers, body);
  }

  private static MediaType contentType(Response response, Optional<String> produces) {
    MediaType type = response.getMediaType();
    if (type == null) {
      type = produces.map(MediaType::valueOf).orElseGet(() -> usualType(response.getEntity()));
    }
    boolean isSilent = !type.getParameters().containsKey(MediaType.CHARSET_PARAMETER);
    return type.getType().equals("text") && isSilent ? type.withCharset("UTF-8") : type;
  }

  private static MediaType usualType(Object entity) {
    return switch (entity) {
      case byte[] bytes -> MediaType.APPLICATION_OCTET_STREAM_TYPE;
      case String text -> MediaType.TEXT_PLAIN_TYPE;
      default -> MediaType.APPLICATION_JSON_TYPE;
    };
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
