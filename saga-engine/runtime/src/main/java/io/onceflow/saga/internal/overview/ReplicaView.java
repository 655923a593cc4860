package io.onceflow.saga.internal.overview;

import static java.util.stream.Collectors.toSet;

import io.onceflow.internal.database.DatabaseConnections;
import io.onceflow.saga.internal.store.control.Replica;
import io.onceflow.saga.internal.store.control.ReplicaDetails;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs sagas.
 *
 * @param self whether it is the one that answers
 * @param living whether it was seen within the last 35 seconds
 * @param build the application's version; null where its release does not say so
 * @param host its own name for it, such as the name of the pod; null likewise
 * @param startedAt when it was first seen
 * @param roles what it does beside requests and messages: {@code relay} (of the outbox), {@code
 *     timers}, {@code repairs}
 * @param knows versions that it knows, such as {@code place-order v1}
 * @param lacks versions that other living replicas know, and this one does not
 * @param loops that run in it, by name
 * @param connections to the database; null where its release does not say so
 * @param heap null likewise
 */
@Schema(name = "Replica")
record ReplicaView(
    UUID id,
    boolean self,
    boolean living,
    @Nullable String build,
    @Nullable String host,
    Instant startedAt,
    Instant seenAt,
    List<String> roles,
    List<String> knows,
    List<String> lacks,
    List<Loop> loops,
    @Nullable DatabaseConnections connections,
    ReplicaDetails.@Nullable Heap heap) {

  private static final List<Role> ROLES =
      List.of(
          new Role("relay", "outbox-relay"),
          new Role("timers", "saga-timers"),
          new Role("repairs", "saga-repairs"));

  /** A replica has a role while its loop runs. */
  private record Role(String name, String loop) {}

  /**
   * A loop.
   *
   * @param lastTurnAt when it last ended a turn, as of when the replica was seen
   */
  @Schema(name = "ReplicaLoop")
  record Loop(String name, Instant lastTurnAt) {}

  /**
   * The view of a replica.
   *
   * @param known by any that lives
   */
  static ReplicaView of(Replica replica, Set<String> known, UUID self) {
    ReplicaDetails details = replica.details();
    return new ReplicaView(
        replica.id(),
        replica.id().equals(self),
        replica.isLiving(),
        replica.build(),
        replica.host(),
        replica.startedAt(),
        replica.seenAt(),
        roles(details.running()),
        replica.versions(),
        known.stream().filter(it -> !replica.versions().contains(it)).sorted().toList(),
        details.running().stream()
            .map(it -> new Loop(it.name(), replica.seenAt().minusMillis(it.ageMs())))
            .toList(),
        details.connections(),
        details.heap());
  }

  private static List<String> roles(List<ReplicaDetails.Loop> running) {
    Set<String> loops = running.stream().map(ReplicaDetails.Loop::name).collect(toSet());
    return ROLES.stream().filter(it -> loops.contains(it.loop)).map(Role::name).toList();
  }
}
