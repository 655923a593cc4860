package io.onceflow.systemtests;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The fields of a message in Protocol Buffers' wire format, as far as spans make use of it. */
final class ProtoFields {

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private final List<Field> fields = new ArrayList<>();

  /** One of them: a number or some bytes. */
  private record Field(int tag, long number, byte[] bytes) {}

  private ProtoFields(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int key = (int) varint(in);
      fields.add(read(key >>> 3, key & 7, in));
    }
  }

  static ProtoFields of(byte[] message) {
    return new ProtoFields(message);
  }

  /** The messages in this field, in their order. */
  List<ProtoFields> messages(int tag) {
    return bytes(tag).stream().map(ProtoFields::of).toList();
  }

  /** A text; empty where it is not there. */
  String text(int tag) {
    return bytes(tag).stream()
        .findFirst()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElse("");
  }

  /** Bytes as hexadecimal digits; empty where they are not there. */
  String hex(int tag) {
    return bytes(tag).stream().findFirst().map(HexFormat.of()::formatHex).orElse("");
  }

  /** A number; zero where it is not there. */
  long number(int tag) {
    return fields.stream()
        .filter(field -> field.tag() == tag)
        .mapToLong(Field::number)
        .findFirst()
        .orElse(0);
  }

  private List<byte[]> bytes(int tag) {
    return fields.stream().filter(field -> field.tag() == tag).map(Field::bytes).toList();
  }

  private static Field read(int tag, int wireType, ByteBuffer in) {
    return switch (wireType) {
      case VARINT -> new Field(tag, varint(in), new byte[0]);
      case FIXED_64 -> new Field(tag, in.getLong(), new byte[0]);
      case FIXED_32 -> new Field(tag, in.getInt(), new byte[0]);
      case BYTES -> {
        byte[] bytes = new byte[(int) varint(in)];
        in.get(bytes);
        yield new Field(tag, 0, bytes);
      }
      default -> throw new IllegalArgumentException("wire type " + wireType);
    };
  }

  private static long varint(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }
}
