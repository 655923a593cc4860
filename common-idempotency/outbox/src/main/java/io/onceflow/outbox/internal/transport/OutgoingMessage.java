package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What goes out as one message of the transport: a message as it is, or a {@link MessageBundle} of
 * several.
 *
 * @param id by which it is answered
 * @param messages at least one, all for one exchange and routing key
 */
public record OutgoingMessage(UUID id, List<OutboxMessage> messages) {

  /**
   * A bundle is not made longer than this; a message that is longer goes out alone. Below what
   * consumers take ({@code onceflow.inbox.consumer.max-message-size}).
   */
  public static final int LARGEST_BUNDLE_BYTES = 192 * 1024;

  /** Each message by itself. */
  public static List<OutgoingMessage> each(List<OutboxMessage> messages) {
    return messages.stream()
        .map(message -> new OutgoingMessage(message.id(), List.of(message)))
        .toList();
  }

  /**
   * Bundles what may be bundled. On each exchange the messages of one aggregate keep their order:
   * one joins a bundle only if none of its aggregate has gone into a later bundle.
   *
   * @param which may be bundled, and how many together
   */
  public static List<OutgoingMessage> bundle(List<OutboxMessage> messages, BundlePolicy which) {
    if (which.largest() <= 1 || messages.size() == 1) {
      return each(messages);
    }
    return new Bundling(which).bundle(messages);
  }

  public boolean isBundle() {
    return messages.size() > 1;
  }

  public String exchange() {
    return messages.getFirst().exchange();
  }

  public String routingKey() {
    return messages.getFirst().routingKey();
  }

  /**
   * The routing key at a broker of AMQP: of a bundle {@value MessageBundle#KEY_PREFIX} and that of
   * its messages, so that it reaches no consumer that cannot read bundles.
   */
  public String amqpKey() {
    return isBundle() ? MessageBundle.KEY_PREFIX + routingKey() : routingKey();
  }

  /** Of a bundle its own, otherwise that of its message. */
  public UUID messageId() {
    return isBundle() ? id : messages.getFirst().id();
  }

  /** The messages each by itself, all answered by the id of this one. */
  public List<OutgoingMessage> apart() {
    return messages.stream().map(message -> new OutgoingMessage(id, List.of(message))).toList();
  }

  public boolean isAddressed() {
    return messages.getFirst().isAddressed();
  }

  public byte[] body() {
    return isBundle()
        ? MessageBundle.encode(messages)
        : messages.getFirst().payload().getBytes(StandardCharsets.UTF_8);
  }

  /** One pass over some messages. */
  private static final class Bundling {

    private final BundlePolicy which;
    private final List<List<OutboxMessage>> bundles = new ArrayList<>();
    private final Map<Address, Open> open = new HashMap<>();
    private final Map<Line, Integer> lastOf = new HashMap<>();

    private record Address(String exchange, String routingKey) {}

    /** What keeps its order. */
    private record Line(String exchange, String aggregateType, String aggregateId) {}

    /** The bundle of an address that is still open, and how long it is. */
    private record Open(int place, int bytes) {}

    Bundling(BundlePolicy which) {
      this.which = which;
    }

    List<OutgoingMessage> bundle(List<OutboxMessage> messages) {
      messages.forEach(this::add);
      return bundles.stream()
          .map(
              bundle ->
                  new OutgoingMessage(
                      bundle.size() == 1 ? bundle.getFirst().id() : OutboxMessage.newId(), bundle))
          .toList();
    }

    private void add(OutboxMessage message) {
      Line line = new Line(message.exchange(), message.aggregateType(), message.aggregateId());
      Address address = new Address(message.exchange(), message.routingKey());
      int size = BundleWriter.sizeOf(message);
      Open bundle = BundlePolicy.mayBeBundled(message) ? open.get(address) : null;
      if (bundle == null || !fits(bundle, size) || lastOf.getOrDefault(line, -1) > bundle.place()) {
        bundle = new Open(bundles.size(), 0);
        bundles.add(new ArrayList<>());
      }
      bundles.get(bundle.place()).add(message);
      open.put(address, new Open(bundle.place(), bundle.bytes() + size));
      lastOf.put(line, bundle.place());
    }

    private boolean fits(Open bundle, int size) {
      return bundles.get(bundle.place()).size() < which.largest()
          && bundle.bytes() + size <= LARGEST_BUNDLE_BYTES;
    }
  }
}
