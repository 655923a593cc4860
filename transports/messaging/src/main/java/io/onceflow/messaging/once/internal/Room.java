package io.onceflow.messaging.once.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How many messages may be taken before they are settled. */
final class Room {

  private final Deque<CompletableFuture<@Nullable Void>> waiting = new ArrayDeque<>();
  private int free;

  Room(int size) {
    this.free = size;
  }

  /** Takes a place for a message; completes when there is one for the next message. */
  synchronized CompletionStage<@Nullable Void> take() {
    free--;
    if (free > 0) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
    waiting.add(next);
    return next;
  }

  /** Gives a place back. */
  void giveBack() {
    CompletableFuture<@Nullable Void> next;
    synchronized (this) {
      free++;
      next = free > 0 ? waiting.poll() : null;
    }
    if (next != null) {
      next.complete(null);
    }
  }
}
