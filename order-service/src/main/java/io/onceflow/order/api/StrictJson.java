package io.onceflow.order.api;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Reads JSON as it is written: 1.5 is not the quantity 1, "2" is not a number, and a missing
 * quantity is not 0. Unknown properties are passed over, so that senders may be newer than we are.
 */
@Singleton
class StrictJson implements ObjectMapperCustomizer {

  @Override
  public void customize(ObjectMapper json) {
    json.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    json.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    json.coercionConfigFor(LogicalType.Integer)
        .setCoercion(CoercionInputShape.String, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    json.coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }
}
