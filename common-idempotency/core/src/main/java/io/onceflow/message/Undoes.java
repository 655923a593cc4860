package io.onceflow.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The command is a compensation: it undoes what another command did in the same saga. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Undoes {

  /** The action: a record annotated with {@link Command}. */
  Class<? extends Record> value();
}
