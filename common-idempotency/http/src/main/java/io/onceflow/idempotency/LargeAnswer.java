package io.onceflow.idempotency;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The answers of this method may be large: so many bytes are reserved before it runs, and it makes
 * no answer that is much longer.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LargeAnswer {

  /**
   * Of one answer. With the default of {@code onceflow.admission.most-bytes-in-hand} 32 are made at
   * once, about as many as there are connections to the database, and half of them for one caller.
   */
  int MOST_BYTES = 128 * 1024;
}
