package io.onceflow.idempotency.internal.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.problem.RootPath;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /idempotency-keys/{key}} answers.
 *
 * @param status {@code IN_PROGRESS} or {@code COMPLETED}
 * @param response left out while the request runs
 * @param createdAt left out while the claim is in an open transaction
 * @param expiresAt as {@code createdAt}
 */
@JsonInclude(Include.NON_NULL)
public record KeyView(
    String key,
    String status,
    @Nullable KeptAnswer response,
    @Nullable Instant createdAt,
    @Nullable Instant expiresAt) {

  /** Where all of them are, from the server's root. */
  static final String HOME = RootPath.resolve("/idempotency-keys");

  /**
   * The stored answer.
   *
   * @param location of the created resource, if the answer has one
   * @param body if it is JSON, as it was first sent; others are replayed by repeating the request
   */
  @JsonInclude(Include.NON_NULL)
  record KeptAnswer(int status, @Nullable String location, @JsonRawValue @Nullable String body) {

    static KeptAnswer of(StoredResponse response) {
      return new KeptAnswer(
          response.status(), header(response, HttpHeaders.LOCATION), json(response));
    }

    private static @Nullable String json(StoredResponse response) {
      String type = header(response, HttpHeaders.CONTENT_TYPE);
      return type != null
              && StoredResponse.isJson(MediaType.valueOf(type))
              && response.body().length > 0
          ? new String(response.body(), StandardCharsets.UTF_8)
          : null;
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

  /** The view of work that was accepted or continues. */
  public static KeyView inProgress(IdempotencyKey key) {
    return of(key, KeyState.unseen());
  }

  /** From the server's root. */
  public static String path(IdempotencyKey key) {
    return HOME + "/" + URLEncoder.encode(key.value(), StandardCharsets.UTF_8).replace("+", "%20");
  }
}
