package io.onceflow.systemtests;

import io.restassured.common.mapper.TypeRef;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What answers are read as where many are: a {@code JsonPath} compiles a class at every look, which
 * takes as long as the request.
 */
final class Json {

  static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {};
  static final TypeRef<List<Map<String, Object>>> OBJECTS = new TypeRef<>() {};

  private Json() {}

  /** A text on the top level of an answer; null if there is none. */
  static @Nullable String text(Response answer, String field) {
    return (String) answer.as(OBJECT).get(field);
  }
}
