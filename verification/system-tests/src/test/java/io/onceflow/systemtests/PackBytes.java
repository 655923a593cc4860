package io.onceflow.systemtests;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes packs as docs/messages describes them, with any content. */
final class PackBytes {

  private PackBytes() {}

  static byte[] of(List<Message> messages) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(1);
      out.writeInt(messages.size());
      for (Message message : messages) {
        write(message, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(Message message, DataOutputStream out) throws IOException {
    BasicProperties properties = message.properties();
    for (String text :
        new String[] {
          properties.getMessageId(),
          properties.getType(),
          properties.getCorrelationId(),
          properties.getReplyTo()
        }) {
      text(text, out);
    }
    Map<String, Object> headers = properties.getHeaders();
    out.writeInt(headers.size());
    for (Map.Entry<String, Object> header : headers.entrySet()) {
      text(header.getKey(), out);
      text(String.valueOf(header.getValue()), out);
    }
    bytes(message.body(), out);
  }

  private static void text(@Nullable String text, DataOutputStream out) throws IOException {
    if (text == null) {
      out.writeInt(-1);
    } else {
      bytes(text.getBytes(StandardCharsets.UTF_8), out);
    }
  }

  private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
