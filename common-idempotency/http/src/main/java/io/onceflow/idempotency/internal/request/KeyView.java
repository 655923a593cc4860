package io.onceflow.idempotency.internal.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /idempotency-keys/{key}} answers.
 *
 * @param status {@code IN_PROGRESS} or {@code COMPLETED}
 * @param response left out while the request runs
 * @param createdAt left out while it is unknown: the claim is in an open transaction
 * @param expiresAt as {@code createdAt}
 */
@JsonInclude(Include.NON_NULL)
public record KeyView(
    String key,
    String status,
    @Nullable KeptAnswer response,
    @Nullable Instant createdAt,
    @Nullable Instant expiresAt) {

  /**
   * The stored answer.
   *
   * @param location of what was made, if the answer told it
   * @param body if it is JSON, as it was first sent; any other is had by repeating the request
   */
  @JsonInclude(Include.NON_NULL)
  record KeptAnswer(int status, @Nullable String location, @JsonRawValue @Nullable String body) {

    static KeptAnswer of(StoredResponse response) {
      return new KeptAnswer(
          response.status(), header(response, HttpHeaders.LOCATION), json(response));
    }

    private static @Nullable String json(StoredResponse response) {
      String type = header(response, HttpHeaders.CONTENT_TYPE);
      boolean isJson = type != null && (type.startsWith("application/json") || isJsonLike(type));
      return isJson && response.body().length > 0
          ? new String(response.body(), StandardCharsets.UTF_8)
          : null;
    }

    private static boolean isJsonLike(String type) {
      return type.split(";", 2)[0].strip().endsWith("+json");
    }

    private static @Nullable String header(StoredResponse response, String name) {
      return response.headers().entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(header -> header.getValue().getFirst())
          .findFirst()
          .orElse(null);
    }
  }

  static KeyView of(IdempotencyKey key, KeyState state) {
    StoredResponse response = state.response();
    return new KeyView(
        key.value(),
        response == null ? "IN_PROGRESS" : "COMPLETED",
        response == null ? null : KeptAnswer.of(response),
        state.createdAt(),
        state.expiresAt());
  }

  /** Of work that was just accepted, or goes on. */
  public static KeyView inProgress(IdempotencyKey key) {
    return of(key, KeyState.unseen());
  }

  /** Where it is found. */
  public static String path(IdempotencyKey key) {
    return "/idempotency-keys/"
        + URLEncoder.encode(key.value(), StandardCharsets.UTF_8).replace("+", "%20");
  }
}
