package io.onceflow.idempotency.internal.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.jspecify.annotations.Nullable;

/**
 * Copies responses before they are changed: a response that is declared for a whole class, or among
 * the document's components, also belongs to operations that are not guarded.
 */
final class OpenApiAnswers {

  private static final String COMPONENTS = "#/components/responses/";

  private final OpenAPI document;

  OpenApiAnswers(OpenAPI document) {
    this.document = document;
  }

  /**
   * @param answer null for an empty response
   * @return a copy without reference, with mutable headers and content
   */
  APIResponse copy(@Nullable APIResponse answer) {
    APIResponse copy = createAPIResponse().content(createContent()).headers(new HashMap<>());
    if (answer == null) {
      return copy;
    }
    APIResponse original = resolved(answer);
    copy.setDescription(original.getDescription());
    if (original.getHeaders() != null) {
      original.getHeaders().forEach(copy::addHeader);
    }
    if (original.getContent() != null) {
      original.getContent().getMediaTypes().forEach(copy.getContent()::addMediaType);
    }
    copy.setLinks(original.getLinks());
    copy.setExtensions(original.getExtensions());
    return copy;
  }

  private APIResponse resolved(APIResponse answer) {
    String reference = answer.getRef();
    if (reference == null || !reference.startsWith(COMPONENTS)) {
      return answer;
    }
    return Optional.ofNullable(document.getComponents())
        .map(Components::getResponses)
        .map((Map<String, APIResponse> all) -> all.get(reference.substring(COMPONENTS.length())))
        .orElse(answer);
  }
}
