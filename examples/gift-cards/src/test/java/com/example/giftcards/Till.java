package com.example.giftcards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.testing.TestTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/**
 * A till that calls the application.
 *
 * @param name {@code <shop>/<till>}
 */
record Till(URI application, String name) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What it was told. */
  record Answer(int status, String body, boolean isReplayed) {

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(body, e);
      }
    }
  }

  /** A card of this amount, sold under a fresh key. */
  String buyCard(long cents) {
    Answer sold = post("/gift-cards", "sale-" + System.nanoTime(), cents(cents));
    return sold.json().get("code").textValue();
  }

  long balance(String code) {
    return get("/gift-cards/" + code).json().get("balance").longValue();
  }

  Answer get(String path) {
    return request(to(path).GET()).join();
  }

  Answer post(String path, String key, String json) {
    return begin(path, key, json).join();
  }

  /** Sends and does not wait. */
  CompletableFuture<Answer> begin(String path, String key, String json) {
    return request(
        to(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(json)));
  }

  static String cents(long cents) {
    return "{\"cents\":%d}".formatted(cents);
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(application.resolve(path))
        .header("Authorization", "Bearer " + TestTokens.token(name));
  }

  private static CompletableFuture<Answer> request(HttpRequest.Builder request) {
    return HTTP.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(Till::answer);
  }

  private static Answer answer(HttpResponse<String> response) {
    return new Answer(
        response.statusCode(),
        response.body(),
        response.headers().firstValue("Idempotent-Replayed").isPresent());
  }
}
