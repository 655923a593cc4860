package io.onceflow.idempotency;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON and writes it in the form of RFC 8785: properties in the order of their UTF-16 code
 * units, no white space, one spelling for each string and each number (but see {@link
 * CanonicalNumber} for numbers that RFC 8785 would round).
 *
 * <p>It bounds the nesting, the exponents and nothing else: how long a body may be is for the
 * server's request limit to say.
 */
final class CanonicalJson {

  /** Far beyond any sensible document, and as deep as Jackson reads for whoever handles it. */
  static final int DEEPEST = 1_000;

  /** A name is quoted in a message only up to here. */
  private static final int LONGEST_QUOTE = 40;

  /** A token of the text that is more than a short word. */
  private static final Pattern NO_WORD =
      Pattern.compile("(Unrecognized token ')(?![A-Za-z]{1,16}')[^']*'");

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private static final JsonFactory PARSERS =
      JsonFactory.builder()
          // Names of strangers are not worth keeping, nor is a table that they could flood.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** What was read, with each scalar already in its one spelling. */
  private sealed interface Value {

    record Scalar(String text) implements Value {}

    record Array(List<Value> items) implements Value {}

    record Properties(TreeMap<String, Value> byName) implements Value {}
  }

  private CanonicalJson() {}

  /**
   * @param utf8 a JSON text
   * @return the same values in UTF-8
   * @throws MalformedBody when it is not UTF-8, not JSON, has a property twice or half a surrogate
   *     pair, is nested deeper than {@value #DEEPEST}, or has a number beyond all bounds
   */
  static byte[] of(byte[] utf8) {
    CharBuffer text = decode(utf8);
    try (JsonParser parser =
        PARSERS.createParser(text.array(), text.arrayOffset(), text.remaining())) {
      return write(readOnly(parser));
    } catch (JsonEOFException e) {
      throw new MalformedBody("it ends too early, " + at(e.getLocation()), e);
    } catch (JsonProcessingException e) {
      throw new MalformedBody(what(e) + ", " + at(e.getLocation()), e);
    } catch (IOException e) {
      throw new UncheckedIOException("characters in memory cannot fail to be read", e);
    }
  }

  private static CharBuffer decode(byte[] utf8) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
      if (text.length() > 0 && text.charAt(0) == BYTE_ORDER_MARK) {
        throw new MalformedBody("it begins with a byte order mark, which RFC 8259 §8.1 forbids");
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new MalformedBody("it is not UTF-8, as RFC 8259 §8.1 asks", e);
    }
  }

  private static Value readOnly(JsonParser parser) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new MalformedBody("there is nothing but white space");
    }
    Value value = read(parser, first, 0);
    if (parser.nextToken() != null) {
      throw new MalformedBody("something follows its end, " + at(parser.currentTokenLocation()));
    }
    return value;
  }

  private static Value read(JsonParser parser, JsonToken token, int depth) throws IOException {
    return switch (token) {
      case START_OBJECT -> properties(parser, deeper(depth));
      case START_ARRAY -> array(parser, deeper(depth));
      case VALUE_STRING -> new Value.Scalar(CanonicalString.of(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new Value.Scalar(CanonicalNumber.of(parser.getText()));
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> new Value.Scalar(parser.getText());
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no value begins with " + token);
    };
  }

  private static int deeper(int depth) {
    if (depth == DEEPEST) {
      throw new MalformedBody("it is nested more than " + DEEPEST + " deep");
    }
    return depth + 1;
  }

  private static Value properties(JsonParser parser, int depth) throws IOException {
    TreeMap<String, Value> byName = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      // To say where it is costs more than to read it, and is said of the second one only.
      JsonLocation where = byName.containsKey(name) ? parser.currentTokenLocation() : null;
      if (byName.put(name, read(parser, parser.nextToken(), depth)) != null) {
        throw new MalformedBody("property %s occurs twice, %s".formatted(quote(name), at(where)));
      }
    }
    return new Value.Properties(byName);
  }

  private static Value array(JsonParser parser, int depth) throws IOException {
    List<Value> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(read(parser, token, depth));
    }
    return new Value.Array(items);
  }

  private static byte[] write(Value value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Value value, StringBuilder text) {
    switch (value) {
      case Value.Scalar(String spelled) -> text.append(spelled);
      case Value.Array(List<Value> items) -> {
        String separator = "[";
        for (Value item : items) {
          write(item, text.append(separator));
          separator = ",";
        }
        text.append(items.isEmpty() ? "[]" : "]");
      }
      case Value.Properties(TreeMap<String, Value> byName) -> {
        String separator = "{";
        for (Map.Entry<String, Value> property : byName.entrySet()) {
          text.append(separator).append(CanonicalString.of(property.getKey())).append(':');
          write(property.getValue(), text);
          separator = ",";
        }
        text.append(byName.isEmpty() ? "{}" : "}");
      }
    }
  }

  /**
   * The parser's account, without its advice to whoever configures it. Of the text it quotes a word
   * such as {@code None} and nothing else: what somebody forgot to put in quotes may be a secret.
   */
  private static String what(JsonProcessingException e) {
    String message = NO_WORD.matcher(String.valueOf(e.getOriginalMessage())).replaceFirst("$1…'");
    int advice = message.indexOf(": enable `");
    return advice < 0 ? message : message.substring(0, advice);
  }

  private static String at(@Nullable JsonLocation where) {
    return where == null
        ? "somewhere"
        : "at line %d, column %d".formatted(where.getLineNr(), where.getColumnNr());
  }

  private static String quote(String name) {
    return name.length() <= LONGEST_QUOTE
        ? CanonicalString.of(name)
        : "\"" + name.substring(0, LONGEST_QUOTE) + "…\"";
  }
}
