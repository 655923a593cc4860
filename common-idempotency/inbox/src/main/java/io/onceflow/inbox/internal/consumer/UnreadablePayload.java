package io.onceflow.inbox.internal.consumer;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.stream.Collectors;

/**
 * Describes what is wrong with a payload, for logs and operators, without quoting it: Jackson's
 * messages quote the text, which may be confidential.
 */
public final class UnreadablePayload {

  /** How the parser's message starts; it has no exception of its own for that. */
  private static final String REPEATED = "Duplicate field";

  private UnreadablePayload() {}

  /** What is wrong and where, without Jackson's words. */
  public static String why(Exception unreadable) {
    return switch (unreadable) {
      // Its name is the sender's too.
      case UnrecognizedPropertyException unknown -> "it has a property that it must not have";
      case ValueInstantiationException refused when refused.getCause() != null ->
          // A record's own refusal: it knows what it may say.
          place(refused) + refused.getCause().getMessage();
      case MismatchedInputException other when other.getTargetType() != null ->
          place(other) + "it cannot be read as " + other.getTargetType().getSimpleName();
      case JsonMappingException other -> place(other) + "it cannot be read";
      case StreamConstraintsException beyond ->
          "it is nested too deep, or has a number or text too long";
      case JsonParseException twice
          when String.valueOf(twice.getOriginalMessage()).startsWith(REPEATED) ->
          "it has a property twice";
      case JsonProcessingException noJson when noJson.getLocation() != null ->
          "it is no JSON at line %s, column %s"
              .formatted(noJson.getLocation().getLineNr(), noJson.getLocation().getColumnNr());
      default -> "it cannot be read";
    };
  }

  private static String place(JsonMappingException unreadable) {
    String path =
        unreadable.getPath().stream()
            .map(at -> at.getFieldName() == null ? "[" + at.getIndex() + "]" : at.getFieldName())
            .collect(Collectors.joining("."));
    return path.isEmpty() ? "" : path + ": ";
  }
}
