package io.onceflow.outbox.internal.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Rows whose messages the broker has confirmed, until they are deleted: together with others, so
 * that a message that comes alone does not cost a transaction of its own. After a pause they are
 * deleted at once, so that another process is not kept from publishing what follows them.
 */
final class ConfirmedRows {

  /** From one deletion to the next. */
  static final Duration APART = Duration.ofMillis(20);

  /** As many are deleted however recent the last deletion is. */
  static final int MANY = 500;

  private final Set<UUID> ids = new HashSet<>();
  private long nextDeletion;

  ConfirmedRows(long now) {
    this.nextDeletion = now;
  }

  void add(Collection<UUID> confirmed) {
    ids.addAll(confirmed);
  }

  Set<UUID> ids() {
    return ids;
  }

  boolean isEmpty() {
    return ids.isEmpty();
  }

  /** How long a row that is confirmed now need not be deleted. */
  Duration restFor(long now) {
    long rest = ids.size() >= MANY ? 0 : nextDeletion - now;
    return rest <= 0 ? Duration.ZERO : Duration.ofNanos(rest);
  }

  void deleted(long now) {
    ids.clear();
    nextDeletion = now + APART.toNanos();
  }
}
