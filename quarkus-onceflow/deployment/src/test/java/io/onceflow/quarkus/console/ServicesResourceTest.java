package io.onceflow.quarkus.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.builder.Version;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The service that leads sagas shows the others, and passes on what is asked of them. */
@Tag("nightly")
class ServicesResourceTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final UUID MESSAGE = UUID.randomUUID();

  /** What the other service was asked; it tells it itself, as it is of another class loader. */
  private static final List<String> ASKED = new CopyOnWriteArrayList<>();

  private static final HttpServer PAYMENTS = payments();

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      BookingApplication.on("console_services")
          .overrideConfigKey("mp.jwt.verify.audiences", "trips")
          .overrideRuntimeConfigKey(
              "onceflow.services.payment-service",
              "http://127.0.0.1:" + PAYMENTS.getAddress().getPort())
          .overrideRuntimeConfigKey("onceflow.services.away", "http://127.0.0.1:1")
          .setForcedDependencies(
              List.of(Dependency.of("io.quarkus", "quarkus-smallrye-jwt", Version.getVersion())));

  @TestHTTPResource("/")
  URI application;

  @ConfigProperty(name = "onceflow.services.payment-service")
  URI payments;

  @ConfigProperty(name = "onceflow.dev-tokens.operator")
  String operator;

  @ConfigProperty(name = "onceflow.dev-tokens.customer")
  String customer;

  @AfterAll
  static void close() {
    PAYMENTS.stop(0);
  }

  @Test
  void showsItselfFirstThenTheOthersAndWhyOneIsNotReachable() throws Exception {
    JsonNode services = JSON.readTree(send("GET", "", operator, null).body());

    assertThat(services.findValuesAsText("name"))
        .containsSubsequence("trips", "away", "payment-service");
    assertThat(services.at("/0/name").asText()).isEqualTo("trips");
    assertThat(services.at("/0/url").isNull()).isTrue();
    assertThat(services.at("/0/reachable").asBoolean()).isTrue();
    assertThat(services.at("/0/participant/queues").findValuesAsText("queue"))
        .contains("trips.commands", "trips.replies");
    assertThat(services.at("/1/reachable").asBoolean()).isFalse();
    assertThat(services.at("/1/why").asText()).contains("Cannot connect to 127.0.0.1:1");
    assertThat(services.at("/1/participant").isNull()).isTrue();
    assertThat(services.at("/2/url").asText()).startsWith("http://127.0.0.1:");
    assertThat(services.at("/2/participant/parked").asInt()).isEqualTo(7);
    assertThat(asked("GET /participant")).hasValue("");
  }

  @Test
  void passesOnWhatIsAskedOfAnotherWithTheCallersToken() throws Exception {
    assertThat(
            send("POST", "/payment-service/pause", operator, "{\"reason\":\"why\"}").statusCode())
        .isEqualTo(204);
    assertThat(asked("POST /participant/pause")).hasValue("{\"reason\":\"why\"}");
    String parked = "/payment-service/parked-messages";
    assertThat(send("GET", parked + "?limit=5&cursor=" + MESSAGE, operator, null).body())
        .isEqualTo("[]");
    assertThat(asked("GET /parked-messages?limit=5&cursor=" + MESSAGE)).hasValue("");
    String job =
        "{\"action\":\"redrive\",\"group\":\"%s\",\"reason\":\"why\",\"perSecond\":5,\"dryRun\":true}"
            .formatted("0".repeat(32));
    assertThat(send("POST", parked + "/jobs", operator, job).statusCode()).isEqualTo(204);
    assertThat(asked("POST /parked-messages/jobs")).hasValue(job);
    String stop = "/jobs/" + MESSAGE + "/stop?reason=a";
    assertThat(send("POST", parked + stop + "%20%26%20b", operator, "{}").statusCode())
        .isEqualTo(204);
    assertThat(asked("POST /parked-messages" + stop + "+%26+b")).hasValue("");
    String edit = "{\"payload\":\"{\\\"a\\\": 1}\",\"reason\":\"why\"}";
    assertThat(send("PUT", parked + "/" + MESSAGE + "/edit", operator, edit).statusCode())
        .isEqualTo(204);
    assertThat(asked("PUT /parked-messages/" + MESSAGE + "/edit")).hasValue(edit);
    send("DELETE", parked + "/" + MESSAGE + "?reason=a%20%26%20b", operator, null);
    assertThat(asked("DELETE /parked-messages/" + MESSAGE + "?reason=a+%26+b")).hasValue("");
  }

  @Test
  void hasJobsOfItsOwnAsWell() throws Exception {
    String jobs = "/trips/parked-messages/jobs";
    String none = "{\"action\":\"delete\",\"group\":\"%s\"%s}";
    String go = ",\"dryRun\":false,\"reason\":\"why\"";

    for (String more : List.of("", go)) {
      assertThat(send("POST", jobs, operator, none.formatted("0".repeat(32), more)).statusCode())
          .isEqualTo(404);
    }
    assertThat(send("GET", jobs, operator, null).body()).isEqualTo("[]");
    assertThat(send("POST", jobs + "/" + MESSAGE + "/stop", operator, "{}").statusCode())
        .isEqualTo(404);
    assertThat(send("POST", jobs + "/" + MESSAGE + "/rest", operator, "{}").statusCode())
        .isEqualTo(404);
  }

  @Test
  void answersAsTheOtherDoes() throws Exception {
    HttpResponse<String> refused =
        send("POST", "/payment-service/parked-messages/" + MESSAGE + "/redrive", operator, "{}");

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.headers().firstValue("Content-Type"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("application/problem+json"));
    assertThat(refused.body()).isEqualTo("{\"title\":\"it still cannot be handled\"}");
  }

  @Test
  void saysWhichServiceItDoesNotKnowOrCannotReach() throws Exception {
    HttpResponse<String> unknown = send("GET", "/nobody/parked-messages", operator, null);
    HttpResponse<String> away = send("GET", "/away/parked-messages", operator, null);

    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("onceflow.services");
    assertThat(away.statusCode()).isEqualTo(503);
    assertThat(away.headers().firstValue("Retry-After")).hasValue("5");
    assertThat(away.body()).contains("Cannot connect to 127.0.0.1:1");
  }

  /** The page would believe that its own session is over. */
  @Test
  void doesNotPassOnThatATokenIsNotAccepted() throws Exception {
    HttpResponse<String> answer =
        send("GET", "/payment-service/parked-messages/" + UUID.randomUUID(), operator, null);

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("does not accept your token");
  }

  @Test
  void answersForItself() throws Exception {
    assertThat(send("GET", "/trips/parked-messages", operator, null).body()).isEqualTo("[]");
    assertThat(send("GET", "/trips/parked-messages/" + MESSAGE, operator, null).statusCode())
        .isEqualTo(404);
    assertThat(send("POST", "/trips/pause", operator, "{\"reason\":\"why\"}").statusCode())
        .isEqualTo(204);
    assertThat(JSON.readTree(send("GET", "", operator, null).body()).at("/0/participant/paused"))
        .hasToString("true");
    assertThat(send("POST", "/trips/resume", operator, "{\"reason\":\"why\"}").statusCode())
        .isEqualTo(204);
  }

  @Test
  void asksNobodyWhatMakesNoSenseOrIsNotAllowed() throws Exception {
    int before = asked().size();

    for (String path :
        List.of("?limit=501", "?limit=x", "?cursor=x", "?cursor=" + MESSAGE + "%26a=b")) {
      assertThat(
              send("GET", "/payment-service/parked-messages" + path, operator, null).statusCode())
          .as(path)
          .isIn(400, 404);
    }
    assertThat(send("POST", "/payment-service/pause", operator, "{}").statusCode()).isEqualTo(400);
    assertThat(send("POST", "/payment-service/pause", operator, null).statusCode()).isEqualTo(400);
    assertThat(send("POST", "/payment-service/pause", customer, null).statusCode()).isEqualTo(403);
    assertThat(send("GET", "/payment-service/parked-messages/..", operator, null).statusCode())
        .isGreaterThanOrEqualTo(400);
    assertThat(send("GET", "", customer, null).statusCode()).isEqualTo(403);
    assertThat(send("GET", "/payment-service/parked-messages", customer, null).statusCode())
        .isEqualTo(403);
    assertThat(send("POST", "/payment-service/pause", customer, "{\"reason\":\"a\"}").statusCode())
        .isEqualTo(403);
    assertThat(asked()).hasSize(before);
  }

  /** The body of a request that the other service was sent, with the operator's token. */
  private Optional<String> asked(String request) throws Exception {
    String head = "%s Bearer %s ".formatted(request, operator);
    return asked().stream()
        .filter(it -> it.startsWith(head))
        .map(it -> it.substring(head.length()))
        .findFirst();
  }

  private List<String> asked() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(payments.resolve("/asked")).build();
    return CLIENT.send(request, BodyHandlers.ofString()).body().lines().toList();
  }

  private HttpResponse<String> send(String method, String path, String token, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(application.resolve("/sagas/services" + path))
            .header("Authorization", "Bearer " + token)
            .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    if (json != null) {
      request.header("Content-Type", "application/json");
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpServer payments() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", ServicesResourceTest::answer);
      server.start();
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    if (path.equals("/asked")) {
      answer(exchange, 200, "text/plain", String.join("\n", ASKED));
      return;
    }
    ASKED.add(
        "%s %s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                path,
                exchange.getRequestHeaders().getFirst("Authorization"),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    if (path.equals("/participant")) {
      answer(exchange, 200, "application/json", "{\"queues\":[],\"parked\":7}");
    } else if (path.endsWith("/redrive")) {
      answer(
          exchange, 409, "application/problem+json", "{\"title\":\"it still cannot be handled\"}");
    } else if (path.startsWith("/parked-messages?")) {
      answer(exchange, 200, "application/json", "[]");
    } else if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 401, "application/json", "{}");
    } else {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length());
    exchange.getResponseBody().write(body.getBytes(UTF_8));
    exchange.close();
  }
}
