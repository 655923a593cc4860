package io.onceflow.systemtests;

import io.restassured.builder.ResponseBuilder;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events, which has no end to wait for. */
final class EventStream {

  private EventStream() {}

  /**
   * How an answer begins: its body is only read when it is a problem.
   *
   * @param token null for a caller without one
   */
  static Response begin(String url, @Nullable String token) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
      Response read = read(answer);
      client.shutdownNow();
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Response read(HttpResponse<InputStream> answer) throws IOException {
    ResponseBuilder response = new ResponseBuilder().setStatusCode(answer.statusCode());
    answer.headers().map().forEach((name, values) -> response.setHeader(name, values.getFirst()));
    answer.headers().firstValue("Content-Type").ifPresent(response::setContentType);
    try (InputStream body = answer.body()) {
      boolean isProblem = answer.statusCode() >= 400;
      return response
          .setBody(isProblem ? new String(body.readAllBytes(), StandardCharsets.UTF_8) : "")
          .build();
    }
  }
}
