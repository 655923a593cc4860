package io.onceflow.saga.internal.store.control;

import io.onceflow.internal.database.DatabaseConnections;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a replica says of itself with each sign of life. Other releases may write less or more.
 *
 * @param loops that run in it, by name
 * @param connections null where it does not say
 * @param heap null where it does not say
 */
public record ReplicaDetails(
    @Nullable List<Loop> loops, @Nullable DatabaseConnections connections, @Nullable Heap heap) {

  /** What a release says that tells nothing of itself. */
  static final ReplicaDetails NONE = new ReplicaDetails(null, null, null);

  /**
   * A loop.
   *
   * @param ageMs how long ago it last ended a turn, when the replica was seen
   */
  public record Loop(String name, long ageMs) {}

  /**
   * The JVM's heap, in bytes.
   *
   * @param used with what the next collection frees
   * @param most that it may grow to
   */
  @Schema(name = "ReplicaHeap")
  public record Heap(long used, long most) {}

  /** The loops; empty where it does not say. */
  public List<Loop> running() {
    return loops == null ? List.of() : loops;
  }
}
