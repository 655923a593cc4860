package io.onceflow.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The record is the reply to a command that the participant's business refuses: nothing was done.
 * Its AMQP type is the record's simple name; the header {@code x-outcome} of the reply is {@code
 * refused}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Refused {

  /** The commands that it answers: records annotated with {@link Command}. */
  Class<? extends Record>[] value();

  /**
   * A refusal that says itself under which reason the saga is compensated. Of another record that
   * is its component {@code reason}, in capitals, or its type where it has none.
   */
  interface WithReason {

    /** Such as {@code PAYMENT_DECLINED}: shown in the saga, and what {@code onCompensated} gets. */
    String refusalReason();
  }
}
