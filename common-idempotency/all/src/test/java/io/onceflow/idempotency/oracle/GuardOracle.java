package io.onceflow.idempotency.oracle;

import io.onceflow.idempotency.Idempotent.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code Guard.tla} as a function from a state and an event to the next state, for one key of each
 * mode. What the specification does not know and the store does is here as well: an owner renews
 * its lease, hands its claim over, or releases it.
 */
final class GuardOracle {

  private GuardOracle() {}

  /** What happens; the comments name the action of the specification. */
  enum Kind {
    /** {@code Claim}, {@code Lease}, {@code Replay} and {@code InProgress}. */
    CLAIM(4),
    /** {@code Commit} and {@code Complete}. */
    COMPLETE(3),
    /** {@code FailCommit}. */
    FAIL_COMMIT(1),
    /** {@code Crash}. */
    CRASH(1),
    /** {@code LeaseEnds}. */
    LEASE_ENDS(2),
    /** None. */
    RENEW(1),
    /** None. */
    HAND_OVER(1),
    /** None. */
    RELEASE(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    int weight() {
      return weight;
    }
  }

  /** By or to a replica, about the key of a mode; a claim has a body. */
  record Event(Kind kind, int replica, Mode mode, String body) {}

  /** A committed record; the run that claimed it last stands for its token. */
  record Row(boolean isStored, String body, int run, boolean isLeased) {}

  /** What a replica is doing. */
  record Work(Mode mode, String body, int run) {}

  /** A state; it is not changed once it is returned. */
  record State(Map<Mode, Row> rows, Map<Integer, Work> work, int runs) {

    static State start() {
      return new State(Map.of(), Map.of(), 0);
    }

    /** All that another connection sees. */
    List<String> visible() {
      List<String> lines = new ArrayList<>();
      rows.forEach(
          (mode, row) ->
              lines.add(
                  "%s: %s, run %s%s"
                      .formatted(
                          mode,
                          row.isStored() ? "COMPLETED" : "STARTED",
                          row.run(),
                          row.isLeased() ? ", leased" : "")));
      return lines.stream().sorted().toList();
    }

    private State with(Mode mode, @Nullable Row row) {
      Map<Mode, Row> changed = new HashMap<>(rows);
      if (row == null) {
        changed.remove(mode);
      } else {
        changed.put(mode, row);
      }
      return new State(changed, work, runs);
    }

    private State idle(int replica) {
      Map<Integer, Work> changed = new HashMap<>(work);
      changed.remove(replica);
      return new State(rows, changed, runs);
    }

    private State runs(int replica, Mode mode, String body) {
      Map<Integer, Work> changed = new HashMap<>(work);
      changed.put(replica, new Work(mode, body, runs + 1));
      return new State(rows, changed, runs + 1);
    }

    private boolean isOwner(Work own) {
      Row row = rows.get(own.mode());
      return row != null && !row.isStored() && row.run() == own.run();
    }
  }

  /** The next state, and what the replica is told. */
  record Step(State next, String said) {}

  static Step after(State state, Event event) {
    if (event.kind() == Kind.CLAIM) {
      return claim(state, event);
    }
    if (event.kind() == Kind.LEASE_ENDS) {
      Row row = Objects.requireNonNull(state.rows().get(event.mode()));
      return new Step(leased(state, event.mode(), row, false), "");
    }
    Work own = Objects.requireNonNull(state.work().get(event.replica()));
    State idle = state.idle(event.replica());
    return switch (event.kind()) {
      case COMPLETE -> complete(idle, own);
      case RENEW ->
          state.isOwner(own)
              ? new Step(leased(state, own.mode(), state.rows().get(own.mode()), true), "held")
              : new Step(state, "lost");
      case HAND_OVER ->
          new Step(
              state.isOwner(own)
                  ? leased(idle, own.mode(), idle.rows().get(own.mode()), false)
                  : idle,
              "");
      case RELEASE -> new Step(state.isOwner(own) ? idle.with(own.mode(), null) : idle, "");
      default -> new Step(idle, "");
    };
  }

  private static State leased(State state, Mode mode, Row row, boolean isLeased) {
    return state.with(mode, new Row(row.isStored(), row.body(), row.run(), isLeased));
  }

  private static Step claim(State state, Event event) {
    Row row = state.rows().get(event.mode());
    boolean isLocked =
        event.mode() != Mode.LEASED
            && state.work().values().stream().anyMatch(it -> it.mode() == event.mode());
    if (isLocked) {
      return new Step(state, "in progress");
    }
    if (row == null) {
      return new Step(won(state, event), "won");
    }
    if (!row.body().equals(event.body())) {
      return new Step(state, "another body");
    }
    if (row.isStored()) {
      return new Step(state, "answered by run " + row.run());
    }
    return row.isLeased()
        ? new Step(state, "in progress")
        : new Step(won(state, event), "taken over");
  }

  /** A claim that is leased is committed at once. */
  private static State won(State state, Event event) {
    State runs = state.runs(event.replica(), event.mode(), event.body());
    return event.mode() == Mode.LEASED
        ? runs.with(event.mode(), new Row(false, event.body(), runs.runs(), true))
        : runs;
  }

  private static Step complete(State idle, Work own) {
    if (own.mode() == Mode.LEASED && !idle.isOwner(own)) {
      return new Step(idle, "lost");
    }
    return new Step(idle.with(own.mode(), new Row(true, own.body(), own.run(), false)), "stored");
  }

  /** What may happen in a state. */
  static List<Event> possible(State state) {
    List<Event> possible = new ArrayList<>();
    Row leased = state.rows().get(Mode.LEASED);
    if (leased != null && leased.isLeased()) {
      possible.add(new Event(Kind.LEASE_ENDS, 0, Mode.LEASED, ""));
    }
    for (int replica = 0; replica < 3; replica++) {
      Work own = state.work().get(replica);
      if (own != null) {
        possible.addAll(ofBusy(replica, own));
        continue;
      }
      for (Mode mode : List.of(Mode.LEASED, Mode.TRANSACTIONAL)) {
        possible.add(new Event(Kind.CLAIM, replica, mode, "x"));
        possible.add(new Event(Kind.CLAIM, replica, mode, "y"));
      }
    }
    return possible;
  }

  private static List<Event> ofBusy(int replica, Work own) {
    List<Kind> kinds =
        own.mode() == Mode.LEASED
            ? List.of(Kind.COMPLETE, Kind.CRASH, Kind.RENEW, Kind.HAND_OVER, Kind.RELEASE)
            : List.of(Kind.COMPLETE, Kind.CRASH, Kind.FAIL_COMMIT);
    return kinds.stream().map(kind -> new Event(kind, replica, own.mode(), "")).toList();
  }
}
