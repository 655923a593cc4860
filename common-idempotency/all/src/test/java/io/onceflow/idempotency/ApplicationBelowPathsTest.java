package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that lives below paths of its own, with a configuration of its own. */
@QuarkusTest
@TestProfile(ApplicationBelowPathsTest.Paths.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class ApplicationBelowPathsTest {

  /** Its configuration. */
  public static class Paths implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.http.root-path", "/shop",
          "quarkus.rest.path", "/v1",
          "onceflow.idempotency.retention", "P2D",
          "onceflow.idempotency.in-flight", "wait",
          "onceflow.idempotency.wait.at-most", "PT1M",
          "onceflow.idempotency.refusals", "kept");
    }
  }

  @TestHTTPResource("/q/openapi?format=json")
  URI document;

  @Test
  void explainsItsProblemsWhereItSaysSo() {
    Caller ada = new Caller(document, "ada");
    Caller.Answer refused = ada.send(ada.request("/shop/v1/described", ""));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.header("Link"))
        .isEqualTo("</shop/v1/problems/idempotency-key-missing>; rel=\"describedby\"");
    Caller.Answer page =
        ada.send(ada.request("/shop/v1/problems/idempotency-key-missing", "").GET());
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text()).contains("/shop/v1/problems");
  }

  /** Found by reading: the address that the 202 named was that of an application at the root. */
  @Test
  void acceptedWorkIsFoundWhereItSaysSo() {
    Caller ada = new Caller(document, "ada");
    String key = UUID.randomUUID().toString();
    Caller.Answer accepted =
        ada.post("/shop/v1/background", key, "{\"name\":\"%s\"}".formatted(key));
    assertThat(accepted.status()).isEqualTo(202);
    String location = accepted.header("Location");
    assertThat(location).isEqualTo("/shop/v1/idempotency-keys/" + key);
    Caller.Answer state = ada.send(ada.request(location, "").GET());
    assertThat(state.status()).isEqualTo(200);
    assertThat(state.text()).contains(key);
  }

  @Test
  void isDescribedAsAnyOther() throws IOException {
    JsonNode operation;
    try (InputStream json = document.toURL().openStream()) {
      operation = new ObjectMapper().readTree(json).at("/paths/~1shop~1v1~1described/post");
    }
    assertThat(operation.get("x-idempotency").toString())
        .isEqualTo(
            """
            {"operation":"DescribedResource.plain","mode":"transactional","retention":"PT48H",\
            "inFlight":"wait","refusals":"kept"}""");
    assertThat(operation.get("description").textValue())
        .contains("for 2 days", "waits up to 1 minute", "is kept and repeated");
  }
}
