package io.onceflow.test.races;

import java.util.function.Function;

/**
 * A message to race with that needs no answer, such as a reply or an event.
 *
 * @param name for the names of tests, such as the message's type
 * @param story starts a story of its own in which this message comes, for a customer with this
 *     scope
 */
public record RacedReply(String name, Function<String, Story> story) {

  /** What a message is part of. */
  public interface Story {

    /** Tells everything that comes before the message. */
    void tellWhatComesBefore(Teller teller) throws Exception;

    /** The message, the same each time. */
    RacedMessage message();

    /** Another payload for it. */
    String otherPayload();

    /** Another message to the same saga, which may come early. */
    RacedMessage other();

    /** A request to the saga at the same time, such as a cancellation. */
    void interfere() throws Exception;

    /** What it has come to, in words that are the same for each story that went the same way. */
    String outcome() throws Exception;
  }

  /** Has a message handled, in the middle of a story. */
  @FunctionalInterface
  public interface Teller {

    /** Returns when the message has been handled. */
    void tell(RacedMessage message) throws Exception;
  }

  @Override
  public String toString() {
    return name;
  }
}
