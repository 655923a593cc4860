package io.onceflow.inbox.internal.participant;

import io.onceflow.participant.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done about a command.
 *
 * @param answer its handler's; null while a compensation waits for the action that it undoes
 * @param isTombstone whether that action has not happened, and never must (rule 6)
 * @param seen the subject's rows as the handler saw them, if they are compared before the result of
 *     a call is written
 */
record Decision(@Nullable Answer answer, boolean isTombstone, List<Object> seen) {

  static final Decision WAIT_FOR_ACTION = new Decision(null, false, List.of());

  static Decision of(Answer answer) {
    return new Decision(answer, false, List.of());
  }
}
