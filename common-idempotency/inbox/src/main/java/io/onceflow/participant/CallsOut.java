package io.onceflow.participant;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The handler calls another system. It runs without a transaction, between one that records that
 * the step has started, under a lease, and one that records its result; it is not
 * {@code @Transactional}, or the build fails. It may be interrupted at its deadline and called
 * again, by this process or another: pass {@link CallKey#value()} on, so that the other system
 * recognizes the repeat. An exception means that the result is unknown; the call is made again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CallsOut {

  /**
   * After how long a call is interrupted, such as {@code 6s} or {@code 500ms}; shorter than {@code
   * onceflow.inbox.lease}. {@code onceflow.inbox.call-out.deadline} by default.
   */
  String deadline() default "";

  /**
   * Calls made for one action at most; then its result is reported as unknown and the saga
   * compensates it. Compensations, and actions that do not expire, are called until they succeed.
   * {@code onceflow.inbox.call-out.attempts} by default.
   */
  int attempts() default 0;

  /**
   * Calls for commands of this type that begin {@link #within()} a time at most, over all replicas;
   * what is beyond waits in the database, and the callers share what there is. 0, the default, for
   * as many as the other system answers.
   */
  int atMost() default 0;

  /** The time that {@link #atMost()} is for, such as {@code 1s} or {@code 1m}. */
  String within() default "1s";
}
