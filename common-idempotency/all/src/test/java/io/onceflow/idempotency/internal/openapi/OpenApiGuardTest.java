package io.onceflow.idempotency.internal.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the OpenAPI document of an application says about its guarded operations, unasked. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class OpenApiGuardTest {

  @TestHTTPResource("/q/openapi?format=json")
  URI document;

  @ParameterizedTest
  @CsvSource({
    "/described, post",
    "/described/{id}/{kind}, put",
    "/described/by-hand, delete",
    "/described/parts/{part}/repair, post",
    "/described/contract/signature, post",
    "/described/whole, post",
    "/described/whole, put",
    "/described/one/touch, post",
    "/described/two/touch, post",
    "/things/{kind}/by-uri, post",
  })
  void everyGuardedOperationIsDescribed(String path, String verb) throws Exception {
    JsonNode operation = operation(path, verb);

    JsonNode key = parameter(operation, "Idempotency-Key");
    assertThat(key.get("in").textValue()).isEqualTo("header");
    assertThat(key.get("required").booleanValue()).isTrue();
    assertThat(key.get("description").textValue()).contains("1 to 255 printable ASCII");
    assertThat(key.at("/schema/minLength").intValue()).isEqualTo(1);
    assertThat(key.get("example").textValue())
        .hasSizeLessThanOrEqualTo(key.at("/schema/maxLength").intValue())
        .matches(Pattern.compile(key.at("/schema/pattern").textValue()));
    assertThat(parameter(operation, "Prefer").at("/required").asBoolean()).isFalse();

    assertProblem(operation, "400", "idempotency-key-missing", "malformed-body");
    assertProblem(operation, "409", "request-in-progress");
    assertProblem(operation, "422", "idempotency-key-reused");
    assertProblem(operation, "503", "store-unavailable");
    assertThat(operation.at("/responses/409/headers/Retry-After/schema/type").textValue())
        .isEqualTo("integer");
    assertThat(operation.at("/responses/422/headers/Retry-After").isMissingNode()).isTrue();
    operation
        .get("responses")
        .properties()
        .forEach(
            answer ->
                assertThat(answer.getValue().at("/headers/Idempotent-Replayed").isObject())
                    .as(answer.getKey())
                    .isEqualTo(answer.getKey().startsWith("2")));
    assertThat(operation.at("/x-idempotency/operation").textValue()).isNotBlank();
    assertThat(operation.get("description").textValue()).contains("**Idempotent.**");
  }

  @Test
  void whatIsNotGuardedIsLeftAlone() throws Exception {
    JsonNode operation = operation("/described", "get");
    assertThat(operation.has("x-idempotency")).isFalse();
    assertThat(operation.has("parameters")).isFalse();
    assertThat(operation.at("/responses/422").toString())
        .isEqualTo("{\"description\":\"Declared for the whole class\"}");
  }

  @Test
  void theConfigurationSpeaksWhereTheAnnotationIsSilent() throws Exception {
    JsonNode operation = operation("/described", "post");
    assertThat(operation.get("x-idempotency").toString())
        .isEqualTo(
            """
            {"operation":"DescribedResource.plain","mode":"transactional","retention":"PT24H",\
            "inFlight":"reject","refusals":"released"}""");
  }

  @Test
  void theAnnotationSpeaksFirst() throws Exception {
    JsonNode operation = operation("/described/{id}/{kind}", "put");
    assertThat(operation.get("x-idempotency").toString())
        .isEqualTo(
            """
            {"operation":"put-away","mode":"leased","lease":"PT5M","retention":"P7D",\
            "inFlight":"wait","refusals":"kept"}""");
    assertThat(operation.get("description").textValue())
        .startsWith("Puts it away.\n\n**Idempotent.**");
  }

  @Test
  void aLeaseComesFromTheConfigurationToo() throws Exception {
    assertThat(operation("/described/by-hand", "delete").at("/x-idempotency/lease").textValue())
        .isEqualTo("PT30S");
  }

  @Test
  void theMethodsOwnAnnotationCountsBeforeThatOfItsClass() throws Exception {
    assertThat(operation("/described/whole", "post").at("/x-idempotency/refusals").textValue())
        .isEqualTo("kept");
    assertThat(operation("/described/whole", "put").at("/x-idempotency/refusals").textValue())
        .isEqualTo("released");
    assertThat(operation("/described/whole", "put").at("/x-idempotency/retention").textValue())
        .isEqualTo("PT1H");
  }

  @Test
  void onlyALeaseCanBeLost() throws Exception {
    assertProblem(operation("/described/{id}/{kind}", "put"), "503", "lease-lost", "too-busy");
    assertThat(operation("/described", "post").at("/responses/503").toString())
        .doesNotContain("lease-lost", "too-busy");
  }

  @Test
  void whatTheAuthorWroteStays() throws Exception {
    JsonNode operation = operation("/described/{id}/{kind}", "put");
    assertThat(operation.at("/responses/409/description").textValue())
        .isEqualTo("Too late; or: A request with this Idempotency-Key is still running");
    assertThat(operation.at("/responses/422/description").textValue())
        .isEqualTo(
            "Declared for the whole class; or: The Idempotency-Key was used for another request");
    assertThat(operation.at("/responses/409/content").has("text/plain")).isTrue();
    assertThat(operation.at("/responses/409/headers").has("X-Late-By")).isTrue();
    assertThat(operation.at("/responses/202/description").textValue()).isEqualTo("Going on");
    assertThat(names(operation)).contains("id", "kind");
  }

  @Test
  void aSharedAnswerIsMarkedOnlyWhereItIsThatOfAGuardedOperation() throws Exception {
    JsonNode made = operation("/described/referring", "post").at("/responses/201");
    assertThat(made.has("$ref")).isFalse();
    assertThat(made.get("description").textValue()).isEqualTo("Made for all");
    assertThat(made.get("headers").has("Idempotent-Replayed")).isTrue();
    assertThat(openApi().at("/components/responses/Made").has("headers")).isFalse();
  }

  /** Two of one name would make the document invalid. */
  @Test
  void aHeaderThatTheAuthorDeclaredIsNotDeclaredTwice() throws Exception {
    assertThat(names(operation("/described/by-hand", "delete")))
        .containsOnlyOnce("Idempotency-Key")
        .doesNotContain("idempotency-key");
  }

  @Test
  void theProblemIsDefinedOnce() throws Exception {
    JsonNode schema = openApi().at("/components/schemas/IdempotencyProblem");
    assertThat(schema.get("type").textValue()).isEqualTo("object");
    assertThat(schema.get("properties").fieldNames())
        .toIterable()
        .containsExactly("type", "title", "status", "detail", "instance", "retryAfterSeconds");
  }

  /** They are there to be read, not to be called. */
  @Test
  void theProblemPagesAreNoOperations() throws Exception {
    assertThat(openApi().get("paths").fieldNames())
        .toIterable()
        .isNotEmpty()
        .noneMatch(path -> path.startsWith("/problems"));
  }

  private static void assertProblem(JsonNode operation, String status, String... types) {
    JsonNode answer = operation.get("responses").get(status);
    assertThat(answer.get("description").textValue()).isNotBlank();
    assertThat(answer.at("/headers/Link").isObject()).isTrue();
    JsonNode problem = answer.at("/content/application~1problem+json");
    assertThat(problem.at("/schema/$ref").textValue())
        .isEqualTo("#/components/schemas/IdempotencyProblem");
    for (String type : types) {
      assertThat(problem.at("/examples/" + type + "/value/type").textValue())
          .isEqualTo("/problems/" + type);
    }
  }

  private static JsonNode parameter(JsonNode operation, String name) {
    for (JsonNode parameter : operation.get("parameters")) {
      if (parameter.get("name").textValue().equals(name)) {
        return parameter;
      }
    }
    throw new AssertionError("no parameter " + name + " in " + names(operation));
  }

  private static List<String> names(JsonNode operation) {
    List<String> names = new ArrayList<>();
    operation.get("parameters").forEach(p -> names.add(p.get("name").textValue()));
    return names;
  }

  private JsonNode operation(String path, String verb) throws Exception {
    JsonNode paths = openApi().get("paths");
    JsonNode operation = paths.path(path).path(verb);
    assertThat(operation.isObject()).as("%s %s in %s", verb, path, paths).isTrue();
    return operation;
  }

  private JsonNode openApi() throws Exception {
    try (InputStream json = document.toURL().openStream()) {
      return new ObjectMapper().readTree(json);
    }
  }
}
