package io.onceflow.systemtests;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gets a copy of what the services get. */
final class Tap {

  private final List<Message> seen = new CopyOnWriteArrayList<>();

  void hear(Collection<Message> messages) {
    seen.addAll(messages);
  }

  /** Everything so far, oldest first. */
  List<Message> seen() {
    return List.copyOf(seen);
  }

  /** What was sent for a customer so far. */
  List<Message> seenOf(Customer customer) {
    return seen.stream().filter(message -> customer.name().equals(message.scope())).toList();
  }
}
