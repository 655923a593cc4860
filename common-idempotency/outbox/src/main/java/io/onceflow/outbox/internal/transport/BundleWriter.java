package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes what {@link BundleReader} reads. All numbers are big-endian. */
final class BundleWriter {

  /** Length of a text that is not there. */
  static final int ABSENT = -1;

  private static final int USUAL_SIZE = 4096;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_SIZE);

  byte[] write(List<OutboxMessage> messages) {
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("a bundle holds at least one message");
    }
    out.write(MessageBundle.VERSION);
    number(messages.size());
    messages.forEach(this::message);
    return out.toByteArray();
  }

  /** About how many bytes a message takes in a bundle; never less than it takes. */
  static int sizeOf(OutboxMessage message) {
    int size = 64 + length(message.type()) + length(message.payload());
    size += length(message.correlationId()) + length(message.replyTo());
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      size += 8 + length(header.getKey()) + length(header.getValue());
    }
    return size;
  }

  private static int length(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0x7f) {
        bytes += c > 0x7ff ? 2 : 1;
      }
    }
    return bytes;
  }

  private void message(OutboxMessage message) {
    text(message.id().toString());
    text(message.type());
    text(message.correlationId());
    text(message.replyTo());
    number(message.headers().size());
    // Sorted, so that equal messages make equal bundles.
    new TreeMap<>(message.headers())
        .forEach(
            (name, value) -> {
              text(name);
              text(value);
            });
    text(message.payload());
  }

  private void text(@Nullable String text) {
    if (text == null) {
      number(ABSENT);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    number(bytes.length);
    out.write(bytes, 0, bytes.length);
  }

  private void number(int number) {
    out.write(number >>> 24);
    out.write(number >>> 16);
    out.write(number >>> 8);
    out.write(number);
  }
}
