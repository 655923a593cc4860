package io.onceflow.idempotency.internal.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
import static org.eclipse.microprofile.openapi.OASFactory.createExample;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import io.onceflow.idempotency.internal.request.IdempotencyFilter;
import io.onceflow.idempotency.internal.request.Preferences;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.examples.Example;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/** The parts that a guarded operation adds to its OpenAPI document. */
final class OpenApiParts {

  private static final String IDEMPOTENT =
      "**Idempotent.** A repeat under the same `Idempotency-Key` gets the answer of the first"
          + " request; `x-idempotency` has the policy.";

  private static final String SCHEMA = "IdempotencyProblem";

  private static final String EXAMPLE_KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";

  private final OpenAPI document;
  private final OpenApiAnswers answers;

  OpenApiParts(OpenAPI document) {
    this.document = document;
    this.answers = new OpenApiAnswers(document);
  }

  /** Adds all of them to what the operation's author has declared. */
  void describe(Operation operation, Map<String, String> policy) {
    defineProblem();
    operation.addExtension(OpenApiPolicy.EXTENSION, policy);
    String said = operation.getDescription();
    operation.setDescription(said == null ? IDEMPOTENT : said + "\n\n" + IDEMPOTENT);
    addParameter(operation, key());
    addParameter(operation, prefer());
    if (operation.getResponses() == null) {
      operation.setResponses(createAPIResponses());
    }
    APIResponses responses = operation.getResponses();
    List.copyOf(responses.getAPIResponses().keySet()).stream()
        .filter(status -> status.startsWith("2"))
        .forEach(
            status ->
                responses.addAPIResponse(
                    status,
                    answers
                        .copy(responses.getAPIResponse(status))
                        .addHeader(StoredResponse.REPLAYED, replayed())));
    problems(policy)
        .forEach(
            (status, types) -> {
              APIResponse own = answers.copy(responses.getAPIResponse(status));
              responses.addAPIResponse(status, with(types, own));
            });
  }

  /** The problems that the guard may answer, by status. */
  private static Map<String, List<ProblemType>> problems(Map<String, String> policy) {
    Map<String, List<ProblemType>> byStatus = new TreeMap<>();
    byStatus.put(
        "400",
        List.of(
            ProblemType.IDEMPOTENCY_KEY_MISSING,
            ProblemType.IDEMPOTENCY_KEY_MALFORMED,
            ProblemType.MALFORMED_BODY));
    byStatus.put("409", List.of(ProblemType.REQUEST_IN_PROGRESS));
    byStatus.put("422", List.of(ProblemType.IDEMPOTENCY_KEY_REUSED));
    byStatus.put("429", List.of(ProblemType.QUOTA_EXCEEDED));
    byStatus.put(
        "503",
        OpenApiPolicy.isLeased(policy)
            ? List.of(
                ProblemType.OVERLOADED,
                ProblemType.LEASE_LOST,
                ProblemType.TOO_BUSY,
                ProblemType.STORE_UNAVAILABLE)
            : List.of(
                ProblemType.OVERLOADED,
                ProblemType.STORE_UNAVAILABLE,
                ProblemType.OUTCOME_UNKNOWN));
    return byStatus;
  }

  /** Adds the problem types to the response that the operation declares with this status. */
  private static APIResponse with(List<ProblemType> types, APIResponse answer) {
    for (ProblemType type : types) {
      String said = answer.getDescription();
      answer.setDescription(said == null ? type.title() : said + "; or: " + type.title());
    }
    MediaType body = createMediaType().schema(createSchema().ref(SCHEMA));
    for (ProblemType type : types) {
      body.addExample(type.slug(), example(type));
    }
    answer.getContent().addMediaType(Problem.MEDIA_TYPE, body);
    answer.addHeader(HttpHeaders.LINK, link());
    if (types.stream().anyMatch(ProblemType::saysWhenToRetry)) {
      answer.addHeader(HttpHeaders.RETRY_AFTER, retryAfter());
    }
    return answer;
  }

  private static void addParameter(Operation operation, Parameter ours) {
    if (operation.getParameters() != null) {
      operation.getParameters().stream()
          .filter(own -> own.getIn() == Parameter.In.HEADER)
          .filter(own -> ours.getName().equalsIgnoreCase(own.getName()))
          .toList()
          .forEach(operation::removeParameter);
    }
    operation.addParameter(ours);
  }

  private static Parameter key() {
    return createParameter()
        .name(IdempotencyFilter.HEADER)
        .in(Parameter.In.HEADER)
        .required(true)
        .description(
            ("The client's name for this one operation, best a fresh UUID: %s to %s printable ASCII"
                    + " characters in double quotes (RFC 8941 String), or bare.")
                .formatted(1, IdempotencyKey.MAX_LENGTH))
        .schema(
            text()
                .minLength(1)
                .maxLength(IdempotencyKey.MAX_LENGTH + "\"\"".length())
                .pattern(IdempotencyKey.PATTERN))
        .example("\"" + EXAMPLE_KEY + "\"");
  }

  private static Parameter prefer() {
    return createParameter()
        .name(Preferences.HEADER)
        .in(Parameter.In.HEADER)
        .description(
            "`wait=10` (RFC 7240): should the same request still run, wait up to ten seconds for its"
                + " answer.")
        .schema(text());
  }

  private static Header replayed() {
    return createHeader()
        .description("`true` on the answer to a repeat; absent from the first.")
        .schema(text().addEnumeration("true"));
  }

  private static Header link() {
    return createHeader()
        .description("The page that explains the problem, with `rel=\"describedby\"`.")
        .schema(text());
  }

  private static Header retryAfter() {
    return createHeader()
        .description("Seconds after which to repeat the same request.")
        .schema(createSchema().addType(SchemaType.INTEGER));
  }

  private static Example example(ProblemType type) {
    return createExample()
        .summary(type.title())
        .value(
            // Sorted, so that every build writes it in the same order.
            new TreeMap<String, Object>(
                Map.of(
                    "type", type.path(),
                    "title", type.title(),
                    "status", type.status(),
                    "detail", type.meaning() + " " + type.effect() + " " + type.remedy(),
                    "instance", "/")));
  }

  private void defineProblem() {
    if (document.getComponents() == null) {
      document.setComponents(createComponents());
    }
    document
        .getComponents()
        .addSchema(
            SCHEMA,
            createSchema()
                .addType(SchemaType.OBJECT)
                .description("Problem details (RFC 9457) of the Idempotency-Key guard.")
                .required(List.of("type", "title", "status", "detail", "instance"))
                .addProperty(
                    "type", text().description("Stable; the address of a page that explains it."))
                .addProperty("title", text())
                .addProperty("status", createSchema().addType(SchemaType.INTEGER))
                .addProperty("detail", text().description("What happened, and what to do."))
                .addProperty("instance", text())
                .addProperty(
                    "retryAfterSeconds",
                    createSchema().addType(SchemaType.INTEGER).description("As Retry-After.")));
  }

  private static Schema text() {
    return createSchema().addType(SchemaType.STRING);
  }
}
