package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.internal.transport.MessageBundle.Bundled;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a bundle. A publisher may send malformed bytes: every length is compared with what is left
 * of the body before anything is allocated by it.
 */
final class BundleReader {

  /** Six lengths: id, type, correlation-id, reply-to, number of headers, payload. */
  private static final int LEAST_MESSAGE = 6 * Integer.BYTES;

  private static final int LEAST_HEADER = 2 * Integer.BYTES;

  private final ByteBuffer in;

  BundleReader(byte[] body) {
    this.in = ByteBuffer.wrap(body);
  }

  List<Bundled> read() {
    if (!in.hasRemaining()) {
      throw new MalformedBundle("it is empty");
    }
    int version = in.get();
    if (version != MessageBundle.VERSION) {
      throw new MalformedBundle(
          "its version is %s; this service reads version %s"
              .formatted(version, MessageBundle.VERSION));
    }
    int count = count(LEAST_MESSAGE, "messages");
    if (count == 0) {
      throw new MalformedBundle("it holds no messages");
    }
    if (count > MessageBundle.MOST_MESSAGES) {
      throw new MalformedBundle(
          "it holds %s messages, more than %s".formatted(count, MessageBundle.MOST_MESSAGES));
    }
    List<Bundled> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(message());
    }
    if (in.hasRemaining()) {
      throw new MalformedBundle("%s bytes follow its last message".formatted(in.remaining()));
    }
    return Collections.unmodifiableList(messages);
  }

  private Bundled message() {
    return new Bundled(
        present("message-id"),
        present("type"),
        text("correlation-id"),
        text("reply-to"),
        headers(),
        bytes(number("payload"), "payload"));
  }

  private Map<String, String> headers() {
    int count = count(LEAST_HEADER, "headers");
    Map<String, String> headers = LinkedHashMap.newLinkedHashMap(count);
    for (int i = 0; i < count; i++) {
      String name = present("header name");
      if (headers.put(name, present("header " + name)) != null) {
        throw new MalformedBundle("header " + name + " is there twice");
      }
    }
    return Collections.unmodifiableMap(headers);
  }

  private String present(String what) {
    String text = text(what);
    if (text == null) {
      throw new MalformedBundle(what + " is missing");
    }
    return text;
  }

  private @Nullable String text(String what) {
    int length = number(what);
    if (length == BundleWriter.ABSENT) {
      return null;
    }
    byte[] bytes = bytes(length, what);
    try {
      // A decoder, since the constructor of String replaces what is not UTF-8.
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedBundle(what + " is not UTF-8");
    }
  }

  private byte[] bytes(int length, String what) {
    if (length < 0 || length > in.remaining()) {
      throw new MalformedBundle(
          "%s is said to have %s bytes where %s are left".formatted(what, length, in.remaining()));
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** A number of things that take at least so many bytes each. */
  private int count(int leastSize, String what) {
    int count = number("the number of " + what);
    if (count < 0 || count > in.remaining() / leastSize) {
      throw new MalformedBundle(
          "%s %s are announced where %s bytes are left".formatted(count, what, in.remaining()));
    }
    return count;
  }

  private int number(String what) {
    if (in.remaining() < Integer.BYTES) {
      throw new MalformedBundle("it ends before " + what);
    }
    return in.getInt();
  }
}
