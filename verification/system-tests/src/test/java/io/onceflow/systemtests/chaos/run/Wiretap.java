package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.chaos.stack.Backends;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hears all messages of the services, and can publish them again. */
final class Wiretap implements AutoCloseable {

  /** More is not kept, lest memory runs out; what is kept of it is drawn. */
  private static final int MOST_KEPT = 30_000;

  private final Random random;
  private final List<Heard> kept = new ArrayList<>();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final BrokerWire wire;

  /** A message, and when it was heard. */
  record Heard(Instant at, Message message) {}

  /** Listens from now on. */
  Wiretap(Backends backends, long seed) throws IOException {
    this.random = new Random(seed);
    this.wire = BrokerWire.to(backends, this::hear);
  }

  /** Where it listens. */
  BrokerWire wire() {
    return wire;
  }

  private void hear(Message message) {
    if (message.exchange().equals(BrokerWire.EVENTS)) {
      told.add(message.type() + " " + Payloads.orderId(message));
    } else {
      keep(message);
    }
  }

  private void keep(Message message) {
    if (String.valueOf(message.scope()).startsWith("chaos-")) {
      return;
    }
    Heard heard = new Heard(Instant.now(), message);
    synchronized (kept) {
      if (kept.size() < MOST_KEPT) {
        kept.add(heard);
      } else {
        kept.set(random.nextInt(MOST_KEPT), heard);
      }
    }
  }

  /** Commands and replies that were heard, in an order that the random decides, at most so many. */
  List<Message> some(int most, Random random) {
    List<Message> messages;
    synchronized (kept) {
      messages = new ArrayList<>(kept.stream().map(Heard::message).toList());
    }
    Collections.shuffle(messages, random);
    return messages.subList(0, Math.min(most, messages.size()));
  }

  /** What was heard about an order and is kept, oldest first. */
  List<Heard> about(String orderId) {
    synchronized (kept) {
      return kept.stream().filter(it -> it.message().payload().contains(orderId)).toList();
    }
  }

  /** Events, as {@code type order}. */
  Set<String> told() {
    return Set.copyOf(told);
  }

  @Override
  public void close() {
    wire.close();
  }
}
