package io.onceflow.core.internal;

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
import java.util.Collection;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON and writes it in the form of RFC 8785: properties in the order of their UTF-16 code
 * units, no white space, one spelling for each string and each number (but see {@link
 * CanonicalNumber} for numbers that RFC 8785 would round).
 *
 * <p>It reads once and writes at once; no tree is built, so that memory grows with the length of
 * the text and not with the number of its values. It bounds the nesting, the values and the
 * exponents: how long a body may be is for the server's request limit to say.
 */
public final class CanonicalJson {

  /** Far beyond any sensible document. An object is copied once for each level that it lies in. */
  public static final int DEEPEST = 100;

  /**
   * Names and values that a document may hold. A megabyte of orders, the most that a service takes,
   * holds fewer than 200,000; a megabyte of {@code {},} holds 350,000.
   */
  public static final int MOST_TOKENS = 250_000;

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

  private final JsonParser parser;
  private final StringBuilder text;

  /** Where the properties of an object are put in order; one for all of them. */
  private final StringBuilder sorted = new StringBuilder();

  private int tokens;

  private CanonicalJson(JsonParser parser, int length) {
    this.parser = parser;
    this.text = new StringBuilder(length);
  }

  /**
   * @param utf8 a JSON text
   * @return the same values in UTF-8
   * @throws MalformedBody when it is not UTF-8, not JSON, has a property twice or half a surrogate
   *     pair, is nested deeper than {@value #DEEPEST}, has more than {@value #MOST_TOKENS} names
   *     and values, or has a number beyond all bounds
   */
  public static byte[] of(byte[] utf8) {
    CharBuffer text = decode(utf8);
    try (JsonParser parser =
        PARSERS.createParser(text.array(), text.arrayOffset(), text.remaining())) {
      return new CanonicalJson(parser, utf8.length).document();
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

  private byte[] document() throws IOException {
    JsonToken first = next();
    if (first == null) {
      throw new MalformedBody("there is nothing but white space");
    }
    write(first, 0);
    if (next() != null) {
      throw new MalformedBody("something follows its end, " + at(parser.currentTokenLocation()));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private @Nullable JsonToken next() throws IOException {
    tokens++;
    if (tokens > MOST_TOKENS) {
      throw new MalformedBody("it holds more than " + MOST_TOKENS + " names and values");
    }
    return parser.nextToken();
  }

  private void write(JsonToken token, int depth) throws IOException {
    switch (token) {
      case START_OBJECT -> object(deeper(depth));
      case START_ARRAY -> array(deeper(depth));
      case VALUE_STRING -> text.append(CanonicalString.of(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          text.append(CanonicalNumber.of(parser.getText()));
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> text.append(parser.getText());
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no value begins with " + token);
    }
  }

  private static int deeper(int depth) {
    if (depth == DEEPEST) {
      throw new MalformedBody("it is nested more than " + DEEPEST + " deep");
    }
    return depth + 1;
  }

  private void array(int depth) throws IOException {
    text.append('[');
    String separator = "";
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      text.append(separator);
      write(token, depth);
      separator = ",";
    }
    text.append(']');
  }

  /** Writes the properties as they come, and puts them in order if they were not. */
  private void object(int depth) throws IOException {
    text.append('{');
    int begin = text.length();
    TreeMap<String, Span> byName = new TreeMap<>();
    boolean isInOrder = true;
    while (next() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      isInOrder &= byName.isEmpty() || byName.lastKey().compareTo(name) < 0;
      // To say where it is costs more than to read it, and is said of the second one only.
      JsonLocation where = byName.containsKey(name) ? parser.currentTokenLocation() : null;
      text.append(byName.isEmpty() ? "" : ",");
      int start = text.length();
      text.append(CanonicalString.of(name)).append(':');
      write(next(), depth);
      if (byName.put(name, new Span(start, text.length())) != null) {
        throw new MalformedBody("property %s occurs twice, %s".formatted(quote(name), at(where)));
      }
    }
    if (!isInOrder) {
      sort(begin, byName.values());
    }
    text.append('}');
  }

  /**
   * Where a property stands in the text.
   *
   * @param end after its last character
   */
  private record Span(int start, int end) {}

  private void sort(int begin, Collection<Span> inOrder) {
    sorted.setLength(0);
    for (Span property : inOrder) {
      sorted.append(sorted.isEmpty() ? "" : ",").append(text, property.start, property.end);
    }
    text.setLength(begin);
    text.append(sorted);
  }

  /**
   * The parser's message, without its advice on configuration. Of the text it quotes a word such as
   * {@code None} and nothing else: a value whose quotes were forgotten may be a secret.
   */
  private static String what(JsonProcessingException e) {
    String message = NO_WORD.matcher(String.valueOf(e.getOriginalMessage())).replaceFirst("$1…'");
    int advice = message.indexOf(": enable `");
    return advice < 0 ? message : message.substring(0, advice);
  }

  private static String at(@Nullable JsonLocation where) {
    return where == null
        ? "somewhere"
        : "at line %s, column %s".formatted(where.getLineNr(), where.getColumnNr());
  }

  private static String quote(String name) {
    return name.length() <= LONGEST_QUOTE
        ? CanonicalString.of(name)
        : "\"" + name.substring(0, LONGEST_QUOTE) + "…\"";
  }
}
