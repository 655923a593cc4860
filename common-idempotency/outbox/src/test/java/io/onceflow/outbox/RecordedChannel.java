package io.onceflow.outbox;

import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A channel that records what is written to it, and answers when a test has it answer. */
public final class RecordedChannel implements MessageChannel {

  private final List<UUID> written = new CopyOnWriteArrayList<>();
  private final List<Thread> writers = new CopyOnWriteArrayList<>();
  private final Set<UUID> unanswered = new HashSet<>();
  private Set<UUID> confirmed = new HashSet<>();
  private Map<UUID, String> refused = new HashMap<>();
  private volatile Runnable duringWrite = () -> {};

  /** The ids of the messages that were written. */
  public List<UUID> written() {
    return written;
  }

  /** The threads that wrote, one for each write. */
  public List<Thread> writers() {
    return writers;
  }

  /** Runs with each write, on its thread. */
  public void duringWrite(Runnable work) {
    duringWrite = work;
  }

  /** Confirms all that is not answered. */
  public synchronized void confirm() {
    confirmed.addAll(unanswered);
    unanswered.clear();
  }

  /** Refuses all that is not answered. */
  public synchronized void refuse() {
    unanswered.forEach(id -> refused.put(id, "as the test wants it"));
    unanswered.clear();
  }

  @Override
  public void write(List<OutgoingMessage> batch, Duration atMost) {
    writers.add(Thread.currentThread());
    duringWrite.run();
    synchronized (this) {
      for (OutgoingMessage outgoing : batch) {
        outgoing.messages().forEach(message -> written.add(message.id()));
        unanswered.add(outgoing.id());
      }
    }
  }

  @Override
  public synchronized Published answered() {
    Published published = new Published(confirmed, refused);
    confirmed = new HashSet<>();
    refused = new HashMap<>();
    return published;
  }

  @Override
  public Published await(Duration deadline) {
    return answered();
  }

  @Override
  public synchronized boolean isSettled() {
    return unanswered.isEmpty();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
