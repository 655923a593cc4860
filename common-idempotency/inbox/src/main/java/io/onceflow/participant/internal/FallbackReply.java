package io.onceflow.participant.internal;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method makes the reply to a command whose handler is not called: an action that was cancelled
 * before it began, has expired or whose attempts are used up; a compensation that finds nothing to
 * undo. Its parameters are the command and, for an action, the {@link
 * io.onceflow.inbox.internal.participant.Rejection reason}. It is optional: without it the reply
 * has the AMQP type {@code StepCancelled}, {@code StepExpired}, {@code StepUnavailable} or {@code
 * StepDone} and an empty JSON object as its body. The header {@code x-outcome} is the same either
 * way.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface FallbackReply {}
