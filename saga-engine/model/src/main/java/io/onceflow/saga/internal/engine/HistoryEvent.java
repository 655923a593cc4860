package io.onceflow.saga.internal.engine;

import java.util.Arrays;

/**
 * The events of a saga's history. The words are stored and shown to users, so they must not change.
 */
public enum HistoryEvent {
  /** The saga was made. Detail: its definition and version. */
  SAGA_STARTED("saga-started"),
  /** A step's command was sent for the first time. */
  COMMAND_SENT("command-sent"),
  /** No reply came in time: the same message went out under the same key. Detail: the attempt. */
  SENT_AGAIN("sent-again"),
  /**
   * The participant has started a step and waits for an external event. Detail: the event that is
   * awaited, and until when.
   */
  STEP_PENDING("step-pending"),
  /**
   * The time is over in which a step may wait for an external event: it is requested again. Detail:
   * until when an answer is waited for, after which it times out; none where it may not be.
   */
  AWAIT_OVER("await-over"),
  /** The saga was made and waits for a place. Detail: for which limit. */
  SAGA_QUEUED("saga-queued"),
  /** A choice was made. Detail: the branch; its other branches are skipped. */
  BRANCH_TAKEN("branch-taken"),
  /** The items are fixed for each of which a step is taken. Detail: their keys. */
  ITEMS_FIXED("items-fixed"),
  /** The saga waits itself. Detail: until when. */
  WAIT_STARTED("wait-started"),
  /**
   * The application was told of an event before its saga waited for it. Detail: who reported it.
   */
  SIGNAL_KEPT("signal-kept"),
  /** The first of two operators has approved. Detail: who. */
  APPROVED("approved"),
  /** A step was done. Detail: the reply's type; none for a step run locally. */
  SUCCEEDED("succeeded"),
  /** A participant refused a step for a reason of its business. Detail: type and reason. */
  REFUSED("refused"),
  /**
   * A step timed out: it may or may not have been done, and is compensated if it can be. Detail:
   * why.
   */
  GIVEN_UP("given-up"),
  /** A step that timed out has been done after all; it is compensated. Detail: the reply. */
  LATE_SUCCESS("late-success"),
  /** The saga's deadline passed before its pivot: it is undone. */
  DEADLINE_PASSED("deadline-passed"),
  /** A customer or an operator cancelled the saga. Detail: who and why. */
  CANCEL_REQUESTED("cancel-requested"),
  /** An operator asked to compensate the saga. Detail: who and why. */
  COMPENSATION_REQUESTED("compensation-requested"),
  /** An operator asked to resend the unanswered messages at once. Detail: who and why. */
  RETRY_REQUESTED("retry-requested"),
  /**
   * A message that must be answered was sent more often than the limit: from here on slowly.
   * Detail: which.
   */
  SAGA_STUCK("saga-stuck"),
  /** It was answered, and the saga continues. */
  SAGA_UNSTUCK("saga-unstuck"),
  /**
   * Handling the saga failed again and again: its timer rests until it is retried or answered.
   * Detail: how often, and why.
   */
  SAGA_QUARANTINED("saga-quarantined"),
  /** An operator holds the saga: nothing moves it until it is resumed. Detail: who and why. */
  SAGA_HELD("saga-held"),
  /**
   * The saga is not on hold any more. Detail: who and why, or that the time of the hold is over.
   */
  SAGA_RESUMED("saga-resumed"),
  /**
   * An operator has migrated the saga to another version of its definition. Detail: which, who and
   * why.
   */
  SAGA_MIGRATED("saga-migrated"),
  /** The pivot was run: from here on the saga only goes forward. */
  PIVOT_PASSED("pivot-passed"),
  /** A step is being undone. Detail: the compensation. */
  COMPENSATION_SENT("compensation-sent"),
  /** A step has been undone. Detail: the reply's type. */
  COMPENSATED("compensated"),
  /**
   * The saga ignored a reply because its step waits for none any more. Copies of a reply are not
   * noted. Detail: why.
   */
  REPLY_IGNORED("reply-ignored"),
  /**
   * A participant refused what may not be refused, a compensation or a step past the pivot. It is
   * resent at its time. Detail: type and reason.
   */
  REFUSAL_IGNORED("refusal-ignored"),
  /** Every step succeeded. */
  SAGA_COMPLETED("saga-completed"),
  /** Every step that had to be undone was. Detail: the reason. */
  SAGA_COMPENSATED("saga-compensated");

  private final String word;

  HistoryEvent(String word) {
    this.word = word;
  }

  /** The stable word that is stored and shown. */
  public String word() {
    return word;
  }

  /**
   * The event of this word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static HistoryEvent of(String word) {
    return Arrays.stream(values())
        .filter(event -> event.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no event of a history reads " + word));
  }
}
