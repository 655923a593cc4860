package io.onceflow.order.wire;

import static io.onceflow.launcher.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Senders that take their time take nobody else's. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class SlowBodiesTest {

  private static final int SOCKETS = 300;
  private static final int CONNECTIONS = 3;
  private static final int STREAMS = 98;

  private static final String BEGUN =
      "POST /orders HTTP/1.1\nHost: a\nAuthorization: Bearer %s\nIdempotency-Key: %s\n"
          + "Content-Type: application/json\nContent-Length: 100\n\n{";

  @TestHTTPResource("/")
  URI service;

  @Inject Vertx vertx;

  /** There are fewer threads than slow senders; each used to hold one. */
  @Test
  void threeHundredSocketsWithOneByteEachHoldNobodyUp() throws IOException {
    List<Connection> slow = new ArrayList<>();
    try {
      String token = token("mallory");
      for (int i = 0; i < SOCKETS; i++) {
        slow.add(new Connection(service).send(BEGUN.formatted(token, i)));
      }

      assertThat(post()).isEqualTo(400);
      for (Connection connection : slow) {
        assertThat(connection.isSilent()).isTrue();
      }
      for (Connection connection : slow) {
        Connection.Answer answer = connection.read();
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.isProblem()).isTrue();
      }
    } finally {
      for (Connection connection : slow) {
        connection.close();
      }
    }
  }

  @Test
  void threeConnectionsOfManyStreamsHoldNobodyUp() throws IOException {
    Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    List<HttpClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        HttpClient client = vertx.createHttpClient(priorKnowledge());
        clients.add(client);
        await(begin(client, answers));
      }

      assertThat(post()).isEqualTo(400);
      assertThat(answers).isEmpty();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> answers.size() == CONNECTIONS * STREAMS);
      assertThat(answers).containsOnly(408);
    } finally {
      clients.forEach(HttpClient::close);
    }
  }

  private static HttpClientOptions priorKnowledge() {
    return new HttpClientOptions()
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setHttp2ClearTextUpgrade(false)
        .setHttp2MaxPoolSize(1);
  }

  /** Streams of one connection, each with one byte of its body. */
  private Future<?> begin(HttpClient client, Queue<Integer> answers) {
    List<Future<?>> begun = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      begun.add(
          client
              .request(HttpMethod.POST, service.getPort(), service.getHost(), "/orders")
              .compose(request -> writeOneByte(request, answers)));
    }
    return Future.all(begun);
  }

  private static Future<Void> writeOneByte(HttpClientRequest request, Queue<Integer> answers) {
    request.exceptionHandler(reset -> {}); // after the answer
    request.response().map(HttpClientResponse::statusCode).onSuccess(answers::add);
    return request
        .putHeader("Content-Type", "application/json")
        .putHeader("Content-Length", "100")
        .write("{");
  }

  private static void await(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().join();
  }

  /** A request that a worker answers; bad, so that nothing is left of it. */
  private int post() throws IOException {
    String body = "{\"currency\":\"EUR\"}";
    return Connection.ask(
            service,
            "POST /orders HTTP/1.1\nHost: a\nAuthorization: Bearer %s\nIdempotency-Key: %s\n"
                    .formatted(token("alice"), UUID.randomUUID())
                + "Content-Type: application/json\nContent-Length: %d\n\n%s"
                    .formatted(body.length(), body))
        .status();
  }
}
