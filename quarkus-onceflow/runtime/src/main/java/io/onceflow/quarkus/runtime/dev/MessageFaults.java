package io.onceflow.quarkus.runtime.dev;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Faults that a developer has asked for. Each happens to one command or reply, in their order. */
@Singleton
public class MessageFaults {

  /** What may happen to a message in transit out. */
  public enum Fault {
    /** It is not sent, and taken for sent. */
    LOSE,
    /** It is sent twice. */
    REPEAT,
    /** It is sent three seconds later, and what is behind it as well. */
    DELAY
  }

  private final Queue<Fault> asked = new ConcurrentLinkedQueue<>();

  /** The next message that has no fault yet gets this one. */
  public void ask(Fault fault) {
    asked.add(fault);
  }

  /** Those that have not happened yet. */
  public List<Fault> waiting() {
    return List.copyOf(asked);
  }

  Optional<Fault> next() {
    return Optional.ofNullable(asked.poll());
  }
}
