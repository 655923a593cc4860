package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be asked for, as a service's OpenAPI document describes it.
 *
 * @param body a good one, made from its schema; null where there is none
 */
record ApiOperation(
    ServiceProcess service,
    String method,
    String path,
    List<Parameter> parameters,
    @Nullable JsonNode body) {

  private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");

  /**
   * @param in {@code path}, {@code query} or {@code header}
   * @param sample a good value
   */
  record Parameter(String name, String in, String sample) {}

  /** All that a service describes. */
  static List<ApiOperation> of(ServiceProcess service) {
    JsonNode document = document(service);
    SchemaSamples samples = new SchemaSamples(document);
    List<ApiOperation> operations = new ArrayList<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                METHODS.stream()
                    .filter(path.getValue()::has)
                    .forEach(
                        method ->
                            operations.add(
                                read(service, method, path.getKey(), path.getValue(), samples))));
    return operations;
  }

  private static ApiOperation read(
      ServiceProcess service, String method, String path, JsonNode item, SchemaSamples samples) {
    JsonNode operation = item.get(method);
    List<Parameter> parameters = new ArrayList<>();
    for (JsonNode holder : List.of(item, operation)) {
      holder
          .path("parameters")
          .forEach(
              it ->
                  parameters.add(
                      new Parameter(
                          it.path("name").asText(),
                          it.path("in").asText(),
                          samples.of(it.path("schema")).asText())));
    }
    JsonNode schema = operation.at("/requestBody/content/application~1json/schema");
    return new ApiOperation(
        service,
        method.toUpperCase(Locale.ROOT),
        path,
        parameters,
        schema.isMissingNode() ? null : samples.of(schema));
  }

  List<Parameter> parameters(String in) {
    return parameters.stream().filter(parameter -> parameter.in().equals(in)).toList();
  }

  private static JsonNode document(ServiceProcess service) {
    try {
      return new ObjectMapper()
          .readTree(given().get(service.url() + "/openapi?format=json").asString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(service + " describes itself in something else than JSON", e);
    }
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(service, method, path);
  }
}
