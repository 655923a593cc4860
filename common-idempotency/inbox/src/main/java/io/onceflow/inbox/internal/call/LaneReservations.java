package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The places in lanes that one transaction promises to its commands, before it has committed and
 * their calls enter. A command that is promised none is left in the database. Nothing is reserved:
 * should another transaction be faster, the call finds no place when it enters, and is left in the
 * database then.
 */
public final class LaneReservations {

  private final Function<String, ? extends CallLane<?>> lanes;
  private final Map<String, Taken> taken = new HashMap<>();
  private final Set<Object> promised = new HashSet<>();
  private final Map<String, Integer> turns = new HashMap<>();

  private static final class Taken {
    private int inAll;
    private final Map<String, Integer> byScope = new HashMap<>();
  }

  /**
   * @param lanes by the type of the command
   */
  public LaneReservations(Function<String, ? extends CallLane<?>> lanes) {
    this.lanes = lanes;
  }

  /**
   * The calls for commands of these types begin at most so often.
   *
   * @param left how many may begin now
   */
  public void limit(Map<String, Integer> left) {
    turns.putAll(left);
  }

  /** Whether a command that has just arrived may be called out for when this has committed. */
  public boolean take(ResolvedCommand command) {
    String type = command.handler().type();
    String scope = command.message().scope();
    Taken its = taken.computeIfAbsent(type, none -> new Taken());
    int before = its.byScope.getOrDefault(scope, 0);
    if (turns.containsKey(type) && !lanes.apply(type).isInTurn(turns.get(type))) {
      return false;
    }
    if (!lanes.apply(type).admits(scope, its.inAll, before)) {
      return false;
    }
    turns.computeIfPresent(type, (limited, left) -> left - 1);
    its.inAll++;
    its.byScope.put(scope, before + 1);
    return true;
  }

  /** Whether the broker may keep this message meanwhile, beside those that were promised to it. */
  public boolean hold(Delivery delivery) {
    return delivery.mayBeHeld(promised);
  }
}
