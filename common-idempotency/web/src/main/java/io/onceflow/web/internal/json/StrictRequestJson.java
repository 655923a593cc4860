package io.onceflow.web.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Reads JSON as it is written: 1.5 is not the quantity 1, "2" is not a number, 0 is neither false
 * nor the first constant of an enumeration, a missing quantity is not 0, and nothing follows the
 * end. Unknown properties are ignored, so that a client may be newer than the service. The text is
 * UTF-8 and nothing else. Depth, tokens, names, numbers and lists with a {@code @Size} are bounded
 * while they are read.
 */
@Singleton
class StrictRequestJson implements ObjectMapperCustomizer {

  /**
   * Far deeper than any body is, and more values than a megabyte of JSON has in practice. The
   * longest text is the longest body, for the answers that are kept.
   */
  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxNestingDepth(100)
          .maxTokenCount(250_000)
          .maxStringLength(1 << 20)
          .maxNameLength(1_000)
          .maxNumberLength(100)
          .build();

  @Override
  @SuppressWarnings("deprecation") // in favour of a builder; Quarkus has built the mapper already
  public void customize(ObjectMapper json) {
    json.getFactory()
        .setStreamReadConstraints(BOUNDS)
        // It would take UTF-16 and UTF-32 for JSON, and pass over a byte order mark.
        .configure(JsonFactory.Feature.CHARSET_DETECTION, false);
    json.setAnnotationIntrospector(
        AnnotationIntrospector.pair(
            json.getDeserializationConfig().getAnnotationIntrospector(),
            AnnotationIntrospector.pair(new BoundedList.Introspector(), new DocumentedNames())));
    json.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    json.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    json.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    json.enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);
    json.coercionConfigFor(LogicalType.Boolean)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.String, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    json.coercionConfigFor(LogicalType.Integer)
        .setCoercion(CoercionInputShape.String, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    json.coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }
}
