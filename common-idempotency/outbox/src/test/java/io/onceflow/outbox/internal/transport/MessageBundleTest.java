package io.onceflow.outbox.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageBundle.Bundled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** What goes into a bundle comes out of it, and what is no bundle is refused whatever it claims. */
class MessageBundleTest {

  private static final Path GOLDEN = Path.of("../../docs/messages/Pack.hex");

  private static final List<OutboxMessage> TWO =
      List.of(
          new OutboxMessage(
              UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057"),
              "order",
              "1",
              "ProcessPayment",
              "{\"for\":\"Jürgen\"}",
              OutboxMessage.COMMANDS,
              "payment.process",
              "saga-1",
              "order-service",
              Map.of("x-idempotency-key", "5f0c", "traceparent", "00-0af7")),
          new OutboxMessage(
              UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8058"),
              "order",
              "2",
              "ProcessPayment",
              "{}",
              OutboxMessage.COMMANDS,
              "payment.process",
              null,
              null,
              Map.of()));

  @Provide
  Arbitrary<OutboxMessage> messages() {
    Arbitrary<String> texts = Arbitraries.strings().excludeChars('\0').ofMaxLength(40);
    Arbitrary<String> valid = texts.map(text -> new String(text.getBytes(UTF_8), UTF_8));
    Arbitrary<Map<String, String>> headers = Arbitraries.maps(valid, valid).ofMaxSize(6);
    return Combinators.combine(valid, valid, valid.injectNull(0.3), valid.injectNull(0.3), headers)
        .as(
            (type, payload, correlationId, replyTo, each) ->
                new OutboxMessage(
                    OutboxMessage.newId(),
                    "order",
                    "1",
                    type,
                    payload,
                    OutboxMessage.COMMANDS,
                    "key",
                    correlationId,
                    replyTo,
                    each));
  }

  @Property
  void whatGoesInComesOut(
      @ForAll @Size(min = 1, max = 20) List<@From("messages") OutboxMessage> sent) {
    List<Bundled> bundled = MessageBundle.decode(MessageBundle.encode(sent));
    assertThat(bundled).hasSameSizeAs(sent);
    for (int i = 0; i < sent.size(); i++) {
      OutboxMessage message = sent.get(i);
      Bundled out = bundled.get(i);
      assertThat(out.messageId()).isEqualTo(message.id().toString());
      assertThat(out.type()).isEqualTo(message.type());
      assertThat(out.correlationId()).isEqualTo(message.correlationId());
      assertThat(out.replyTo()).isEqualTo(message.replyTo());
      assertThat(out.headers()).isEqualTo(message.headers());
      assertThat(out.payload()).isEqualTo(message.payload().getBytes(UTF_8));
    }
  }

  /** Whoever holds the broker's credentials may send anything. */
  @Property(tries = 5_000)
  void rubbishIsRefusedAndNothingElseHappens(@ForAll byte[] rubbish, @ForAll boolean versioned) {
    byte[] body = rubbish.clone();
    if (versioned && body.length > 0) {
      body[0] = MessageBundle.VERSION;
    }
    decodesOrRefuses(body);
  }

  @Property(tries = 5_000)
  void aPackWithOneByteChangedIsReadOrRefused(
      @ForAll @Size(min = 1, max = 3) List<@From("messages") OutboxMessage> sent,
      @ForAll long seed) {
    byte[] body = MessageBundle.encode(sent);
    Random random = new Random(seed);
    body[random.nextInt(body.length)] = (byte) random.nextInt();
    decodesOrRefuses(body);
  }

  @Property
  void everyPackThatIsCutShortIsRefused(
      @ForAll @Size(min = 1, max = 3) List<@From("messages") OutboxMessage> sent,
      @ForAll long seed) {
    byte[] body = MessageBundle.encode(sent);
    int length = new Random(seed).nextInt(body.length);
    assertThatExceptionOfType(MalformedBundle.class)
        .isThrownBy(() -> MessageBundle.decode(Arrays.copyOf(body, length)));
  }

  /** Two thousand million messages, a payload of two gigabytes: refused before it costs memory. */
  @Example
  void aClaimedLengthAllocatesNothing() {
    byte[] many = ByteBuffer.allocate(5).put((byte) 1).putInt(Integer.MAX_VALUE).array();
    refuses(many, "2147483647 messages are announced where 0 bytes are left");
    byte[] tooLong = MessageBundle.encode(TWO);
    ByteBuffer.wrap(tooLong).putInt(5, Integer.MAX_VALUE);
    refuses(tooLong, "message-id is said to have 2147483647 bytes");
    byte[] negative = MessageBundle.encode(TWO);
    ByteBuffer.wrap(negative).putInt(5, -2);
    refuses(negative, "message-id is said to have -2 bytes");
  }

  @Example
  void aVersionThatIsNotKnownIsNamed() {
    byte[] newer = MessageBundle.encode(TWO);
    newer[0] = 2;
    refuses(newer, "its version is 2; this service reads version 1");
  }

  @Example
  void bytesAfterTheLastMessageAreRefused() {
    byte[] body = MessageBundle.encode(TWO);
    refuses(Arrays.copyOf(body, body.length + 1), "1 bytes follow its last message");
  }

  @Example
  void textThatIsNotUtf8IsRefused() {
    byte[] body = MessageBundle.encode(TWO);
    body[9] = (byte) 0xff;
    refuses(body, "message-id is not UTF-8");
  }

  @Example
  void anEmptyPackIsNeitherWrittenNorRead() {
    assertThatIllegalArgumentException().isThrownBy(() -> MessageBundle.encode(List.of()));
    refuses(new byte[] {1, 0, 0, 0, 0}, "it holds no messages");
    refuses(new byte[0], "it is empty");
  }

  /** The contract; a change here is a change for everybody who reads bundles. */
  @Example
  void writesAndReadsTheGoldenBundle() throws IOException {
    byte[] golden = HexFormat.of().parseHex(Files.readString(GOLDEN).replaceAll("\\s", ""));
    assertThat(HexFormat.of().formatHex(MessageBundle.encode(TWO)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(MessageBundle.decode(golden).getFirst().payload())
        .isEqualTo("{\"for\":\"Jürgen\"}".getBytes(UTF_8));
  }

  private static void decodesOrRefuses(byte[] body) {
    try {
      assertThat(MessageBundle.decode(body)).isNotEmpty();
    } catch (MalformedBundle refused) {
      assertThat(refused).hasMessageStartingWith("this is no bundle: ");
    }
  }

  private static void refuses(byte[] body, String why) {
    assertThatExceptionOfType(MalformedBundle.class)
        .isThrownBy(() -> MessageBundle.decode(body))
        .withMessageContaining(why);
  }
}
