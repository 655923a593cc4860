package io.onceflow.inbox.oracle;

import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens; its text is an action of {@code Participant.tla} and its parameters, such
 * as {@code Take r1 charge}.
 *
 * @param replica to which; null if to none
 * @param step of which; null if of none, and of a recovery that takes all that is due
 * @param result what the gateway answers; null unless it does
 */
record Event(
    Kind kind, @Nullable Replica replica, @Nullable Step step, @Nullable ReplyOutcome result) {

  /** The actions, each with how often a walk prefers it. */
  enum Kind {
    SEND("Send", 3),
    CANCEL("Cancel", 1),
    EXPIRE("Expire", 1),
    TAKE("Take", 6),
    HANDLE("Handle", 6),
    RECOVER("Recover", 6),
    ACKNOWLEDGE("Acknowledge", 4),
    CALL("Call", 5),
    CARRY_OUT("CarryOut", 4),
    CONCLUDE("Conclude", 6),
    GIVE_UP("GiveUp", 4),
    CRASH("Crash", 1),
    LEASE_ENDS("LeaseEnds", 3),
    LOSE_COMMAND("LoseCommand", 1),
    /** Of the saga and the broker only, which are the specification's; a walk has no use for it. */
    RECEIVE("Receive", 0),
    /** Likewise. */
    LOSE_REPLY("LoseReply", 0),
    /** No action of the specification: there, an answer that is lost is asked for again. */
    CALL_FAILS("CallFails", 1);

    private final String action;
    private final int weight;

    Kind(String action, int weight) {
      this.action = action;
      this.weight = weight;
    }

    int weight() {
      return weight;
    }

    /** Whether it may change rows: what a process keeps to itself changes none. */
    boolean isTransaction() {
      return switch (this) {
        case HANDLE, RECOVER, CONCLUDE, GIVE_UP, CALL_FAILS, LEASE_ENDS -> true;
        default -> false;
      };
    }

    private static Kind of(String action) {
      return Stream.of(values()).filter(it -> it.action.equals(action)).findFirst().orElseThrow();
    }
  }

  static Event of(Kind kind) {
    return new Event(kind, null, null, null);
  }

  static Event of(Kind kind, Step step) {
    return new Event(kind, null, step, null);
  }

  static Event of(Kind kind, Replica replica) {
    return new Event(kind, replica, null, null);
  }

  /** Reads {@link #toString} back. */
  static Event parse(String text) {
    List<String> words = new ArrayList<>(List.of(text.split(" ")));
    Kind kind = Kind.of(words.removeFirst());
    Replica replica = null;
    Step step = null;
    ReplyOutcome result = null;
    for (String word : words) {
      if (word.matches("r\\d")) {
        replica = Replica.valueOf(word.toUpperCase(Locale.ROOT));
      } else if (word.equals("charge") || word.equals("refund")) {
        step = Step.valueOf(word.toUpperCase(Locale.ROOT));
      } else {
        result = ReplyOutcome.of(word).orElseThrow();
      }
    }
    return new Event(kind, replica, step, result);
  }

  /** The replica, where there is one. */
  Replica by() {
    return Objects.requireNonNull(replica, this::toString);
  }

  /** The step, where there is one. */
  Step ofStep() {
    return Objects.requireNonNull(step, this::toString);
  }

  @Override
  public String toString() {
    return Stream.of(kind.action, replica, step, result == null ? null : result.word())
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }
}
