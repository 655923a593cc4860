package io.onceflow.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The record is the reply to a command whose step is done. Its AMQP type is the record's simple
 * name; the header {@code x-outcome} of the reply is {@code done}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Done {

  /** The commands that it answers: records annotated with {@link Command}. */
  Class<? extends Record>[] value();
}
