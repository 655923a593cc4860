package io.onceflow.systemtests;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens packs as docs/messages describes them, and as a consumer that is not ours would. */
public final class Unpacked {

  private static final String PACK = "application/vnd.onceflow.pack";

  /** A pack's routing key is this and that of its messages. */
  static final String KEY_PREFIX = "bundle.";

  private Unpacked() {}

  /** The messages in it, or the message itself if it came alone. */
  public static List<Message> of(Message message) throws IOException {
    if (!PACK.equals(message.properties().getContentType())) {
      return List.of(message);
    }
    DataInputStream pack = new DataInputStream(new ByteArrayInputStream(message.body()));
    if (pack.readByte() != 1) {
      throw new IOException("a pack of another version than 1");
    }
    List<Message> messages = new ArrayList<>();
    for (int left = pack.readInt(); left > 0; left--) {
      messages.add(next(pack, message));
    }
    return messages;
  }

  private static Message next(DataInputStream pack, Message whole) throws IOException {
    BasicProperties.Builder properties =
        new BasicProperties.Builder()
            .contentType("application/json")
            .deliveryMode(2)
            .messageId(text(pack))
            .type(text(pack))
            .correlationId(text(pack))
            .replyTo(text(pack));
    Map<String, Object> headers = new HashMap<>();
    for (int left = pack.readInt(); left > 0; left--) {
      headers.put(String.valueOf(text(pack)), String.valueOf(text(pack)));
    }
    byte[] payload = String.valueOf(text(pack)).getBytes(StandardCharsets.UTF_8);
    return new Message(
        whole.exchange(), ownKey(whole.routingKey()), properties.headers(headers).build(), payload);
  }

  private static String ownKey(String routingKey) {
    return routingKey.startsWith(KEY_PREFIX)
        ? routingKey.substring(KEY_PREFIX.length())
        : routingKey;
  }

  private static @Nullable String text(DataInputStream pack) throws IOException {
    int length = pack.readInt();
    return length == -1 ? null : new String(pack.readNBytes(length), StandardCharsets.UTF_8);
  }
}
