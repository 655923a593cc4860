package io.onceflow.idempotency.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.Caller;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.GuardedThings;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /idempotency-keys/{key}}: what became of the caller's own keys. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class IdempotencyKeyResourceTest extends GuardedThings {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void tellsTheAnswerOfWhatIsDone() throws Exception {
    Answer made = ada.post("/things", key, body);
    Answer answer = get(ada, "/idempotency-keys/" + key);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).startsWith("application/json");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    JsonNode view = JSON.readTree(answer.bytes());
    assertThat(view.get("key").textValue()).isEqualTo(key);
    assertThat(view.get("status").textValue()).isEqualTo("COMPLETED");
    assertThat(view.at("/response/status").intValue()).isEqualTo(201);
    assertThat(view.at("/response/location").textValue()).isEqualTo("/things/1");
    assertThat(view.at("/response/body")).isEqualTo(JSON.readTree(made.bytes()));
    Instant createdAt = Instant.parse(view.get("createdAt").textValue());
    assertThat(Instant.parse(view.get("expiresAt").textValue()))
        .isEqualTo(createdAt.plus(Duration.ofHours(24)));
  }

  @Test
  void tellsThatALeasedOneRuns() throws Exception {
    Future<Answer> first = begin(threads, "/leased", body);
    JsonNode view = JSON.readTree(get(ada, "/idempotency-keys/" + key).bytes());
    assertThat(view.get("status").textValue()).isEqualTo("IN_PROGRESS");
    assertThat(view.has("createdAt")).isTrue();
    assertThat(view.has("response")).isFalse();
    runs.open(name);
    first.get();
  }

  /** Its row cannot be seen yet. */
  @Test
  void tellsThatOneInAnOpenTransactionRuns() throws Exception {
    Future<Answer> first = begin(threads, body);
    assertThat(get(ada, "/idempotency-keys/" + key).text())
        .isEqualTo("{\"key\":\"%s\",\"status\":\"IN_PROGRESS\"}".formatted(key));
    runs.open(name);
    first.get();
  }

  @Test
  void leavesOutABodyThatIsNoJson() {
    ada.post("/things/bytes", key, body);
    assertThat(get(ada, "/idempotency-keys/" + key).text())
        .contains("\"response\":{\"status\":200}");
  }

  @Test
  void knowsNothingOfKeysThatWereNeverUsedOrAreFreeAgain() {
    assertUnknown(get(ada, "/idempotency-keys/" + key));
    ada.post("/things/failing", key, body);
    assertUnknown(get(ada, "/idempotency-keys/" + key));
    ada.post("/things", key, body);
    expire();
    assertUnknown(get(ada, "/idempotency-keys/" + key));
  }

  @Test
  void knowsNothingOfTheKeysOfOthers() {
    ada.post("/things", key, body);
    assertUnknown(get(new Caller(server, "bob"), "/idempotency-keys/" + key));
  }

  @Test
  void knowsNothingOfWhatNoKeyCanBe() {
    assertUnknown(get(ada, "/idempotency-keys/a%20b"));
    assertUnknown(get(ada, "/idempotency-keys/%C3%A9"));
    assertUnknown(get(ada, "/idempotency-keys/" + "k".repeat(256)));
  }

  /** The Location of a 202 leads there, whatever the key is made of. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b/%s",
        "100%%-%s",
        "%%2F-%s",
        "a?b=%s",
        "a#%s",
        "a;b=%s",
        "a,%s",
        "a+b:%s",
        "\"%s\"",
        "back\\%s",
        "%s/..",
        "./%s",
        "a//%s/",
        "~!@$&'()*=[]{}|^`<>%s"
      })
  void isFoundByKeysOfOddCharacters(String pattern) {
    String odd = pattern.formatted(name);
    assertFoundByItsLocation(odd);
  }

  @Test
  void isFoundByTheLongestKey() {
    assertFoundByItsLocation((name + "/%".repeat(255)).substring(0, 255));
  }

  private void assertFoundByItsLocation(String odd) {
    String quoted = "\"" + odd.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    Answer accepted = ada.post("/background", quoted, body);
    assertThat(accepted.status()).isEqualTo(202);
    await().until(() -> ada.post("/background", quoted, body).status() == 201);
    Answer answer = get(ada, accepted.header("Location"));
    assertThat(answer.status()).as(accepted.header("Location")).isEqualTo(200);
    assertThat(answer.text()).contains("COMPLETED", "\"key\":" + json(odd));
  }

  private static String json(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  private static void assertUnknown(Answer answer) {
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.text()).contains("/problems/idempotency-key-unknown");
  }

  /** Without resolving the path, which would take its dots away. */
  private static Answer get(Caller caller, String path) {
    URI uri = URI.create("http://" + caller.server().getAuthority() + path);
    return caller.send(caller.request("/", "").uri(uri).GET());
  }
}
