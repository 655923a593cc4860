package io.onceflow.messaging.settings.internal;

import static io.onceflow.messaging.settings.internal.ChannelNames.INCOMING;
import static io.onceflow.messaging.settings.internal.ChannelNames.OUTGOING;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** A setting of a connector with which messages would be lost, or handled as something else. */
public final class ChannelSettingInvalid extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /** A setting that must not be. */
  private record Rule(String attribute, Predicate<String> isBroken, String sentence) {

    static Rule not(String attribute, String value, String sentence) {
      return new Rule(attribute, value::equals, sentence);
    }
  }

  private static final Map<ChannelNames, Map<String, List<Rule>>> RULES =
      Map.of(INCOMING, incoming(), OUTGOING, outgoing());

  private static Map<String, List<Rule>> incoming() {
    return Map.of(
        ConnectorSettings.KAFKA,
        List.of(
            Rule.not(
                "enable.auto.commit",
                "true",
                "offsets would be committed before the messages are settled; remove it"),
            Rule.not(
                "commit-strategy", "ignore", "no offset would be committed; set it to throttled"),
            Rule.not(
                "commit-strategy",
                "latest",
                "an offset would be committed before those below it are settled; set it to throttled"),
            Rule.not(
                "failure-strategy",
                "ignore",
                "records that cannot be deserialized would be lost; set it to fail"),
            Rule.not(
                "batch",
                "true",
                "an @Once method that takes a List gets its batches from the inbox; remove it"),
            new Rule(
                "value.deserializer",
                name -> !name.endsWith(".ByteArrayDeserializer"),
                "an @Once method's payload is read by the inbox, which parks what it cannot read; remove it")),
        ConnectorSettings.RABBITMQ,
        List.of(
            Rule.not(
                "auto-acknowledgement",
                "true",
                "messages would be acknowledged before they are settled; remove it"),
            new Rule(
                "consumer-tag",
                tag -> true,
                "the channel that a message came by is known by the tag that the broker chooses; remove it")));
  }

  private static Map<String, List<Rule>> outgoing() {
    return Map.of(
        ConnectorSettings.KAFKA,
        List.of(
            new Rule(
                "acks",
                acks -> !acks.equals("all") && !acks.equals("-1"),
                "a record would be lost with the one broker that has it; set it to all"),
            Rule.not(
                "enable.idempotence",
                "false",
                "records of one key could change places when they are sent again; remove it"),
            Rule.not(
                "waitForWriteCompletion",
                "false",
                "a record would be acknowledged before Kafka has it; remove it"),
            serializer("value.serializer"),
            serializer("key.serializer")),
        ConnectorSettings.RABBITMQ,
        List.of(
            Rule.not(
                "publish-confirms",
                "false",
                "a message would be acknowledged before RabbitMQ has it; remove it"),
            new Rule(
                "max-inflight-messages",
                most -> !most.equals(Long.toString(Long.MAX_VALUE)),
                "what a broken connection loses would never be taken off that; remove it")));
  }

  private static Rule serializer(String attribute) {
    return new Rule(
        attribute,
        name -> !name.endsWith(".StringSerializer"),
        "the outbox holds keys, and payloads as JSON, as text; remove it");
  }

  private ChannelSettingInvalid(String message) {
    super(message);
  }

  /**
   * @throws ChannelSettingInvalid when one of the channels has such a setting
   */
  public static void check(Config config, ChannelNames names, List<String> channels) {
    List<String> wrong =
        channels.stream().distinct().flatMap(channel -> wrong(config, names, channel)).toList();
    if (!wrong.isEmpty()) {
      throw new ChannelSettingInvalid(String.join("\n", wrong));
    }
  }

  private static Stream<String> wrong(Config config, ChannelNames names, String channel) {
    String connector = text(config, names.property(channel, "connector"));
    if (connector == null) {
      return Stream.of();
    }
    return RULES.get(names).getOrDefault(connector, List.of()).stream()
        .flatMap(rule -> wrong(config, names, channel, connector, rule).stream());
  }

  private static Optional<String> wrong(
      Config config, ChannelNames names, String channel, String connector, Rule rule) {
    return Optional.ofNullable(
            names.value(name -> text(config, name), channel, connector, rule.attribute()))
        .filter(rule.isBroken())
        .map(
            value ->
                "%s is %s, but channel %s is %s: %s"
                    .formatted(
                        names.property(channel, rule.attribute()),
                        value,
                        channel,
                        names == INCOMING
                            ? "read by an @Once method"
                            : "sent to by an OutboxEmitter",
                        rule.sentence()));
  }

  private static @Nullable String text(Config config, String name) {
    return config.getOptionalValue(name, String.class).orElse(null);
  }
}
