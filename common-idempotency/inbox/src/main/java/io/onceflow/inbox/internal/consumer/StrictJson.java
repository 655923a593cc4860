package io.onceflow.inbox.internal.consumer;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;

/**
 * Reads values as they are written: 25.5 is not the amount 25, "25" is not a number, and 0 is not
 * the first constant of an enumeration. Unknown properties are passed over, so that senders may be
 * newer than we are.
 */
public final class StrictJson {

  private StrictJson() {}

  /** A copy of what the application reads with that reads so; the original stays as it is. */
  public static ObjectMapper of(ObjectMapper json) {
    ObjectMapper strict =
        json.copy()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    strict
        .coercionConfigFor(LogicalType.Integer)
        .setCoercion(CoercionInputShape.String, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    return strict;
  }
}
