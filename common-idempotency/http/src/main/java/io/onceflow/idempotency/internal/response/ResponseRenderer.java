package io.onceflow.idempotency.internal.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.StoredResponse;
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

/** Renders the answer of a guarded method into the bytes that are stored and sent. */
@ApplicationScoped
public class ResponseRenderer {

  private static final byte[] NOTHING = {};

  private final ObjectMapper json;
  private final int longest;

  ResponseRenderer(ObjectMapper json, IdempotencyConfig config) {
    this.json = json;
    this.longest = config.maxResponseSize();
  }

  /**
   * @param response null for 204, as in JAX-RS
   * @param produces the media type of a body for which the method set none
   * @param operation whose answer it is
   * @throws ResponseNotReplayable if the body is a stream, too long, or neither text, bytes nor
   *     JSON; nothing may be committed
   */
  public StoredResponse render(
      @Nullable Response response, Optional<String> produces, String operation) {
    if (response == null) {
      return new StoredResponse(204, Map.of(), NOTHING);
    }
    MediaType type = contentType(response, produces);
    byte[] body = body(response.getEntity(), type, operation);
    if (body.length > longest) {
      throw ResponseNotReplayable.tooLong(operation, body.length, longest);
    }
    Map<String, List<String>> headers = new LinkedHashMap<>();
    response.getStringHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    if (body.length > 0) {
      headers.keySet().removeIf(HttpHeaders.CONTENT_TYPE::equalsIgnoreCase);
      headers.put(HttpHeaders.CONTENT_TYPE, List.of(type.toString()));
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

  private static MediaType usualType(@Nullable Object entity) {
    return switch (entity) {
      case null -> MediaType.WILDCARD_TYPE;
      case byte[] bytes -> MediaType.APPLICATION_OCTET_STREAM_TYPE;
      case String text -> MediaType.TEXT_PLAIN_TYPE;
      default -> MediaType.APPLICATION_JSON_TYPE;
    };
  }

  private byte[] body(@Nullable Object entity, MediaType type, String operation) {
    return switch (entity) {
      case null -> NOTHING;
      case byte[] bytes -> bytes;
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      case Object stream when StreamingBodies.isOne(stream.getClass()) ->
          throw ResponseNotReplayable.stream(operation, stream.getClass());
      case Object object when !StoredResponse.isJson(type) ->
          throw ResponseNotReplayable.notOurs(operation, object.getClass(), type);
      default -> json(entity, operation);
    };
  }

  private byte[] json(Object entity, String operation) {
    try {
      return json.writeValueAsBytes(entity);
    } catch (JsonProcessingException e) {
      throw ResponseNotReplayable.notJson(operation, entity.getClass(), e);
    }
  }
}
