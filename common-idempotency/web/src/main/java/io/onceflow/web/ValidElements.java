package io.onceflow.web;

import io.onceflow.web.internal.validation.ElementsInOrder;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The elements of a list are there and valid; looked at one after the other, up to the first
 * {@value #MOST_VIOLATIONS} violations. {@code List<@NotNull @Valid …>} would collect all of them,
 * however many, and the time that takes grows with their square. A null list is left to other
 * constraints.
 */
@Documented
@Constraint(validatedBy = ElementsInOrder.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface ValidElements {

  /** More are of no use to the reader of a problem. */
  int MOST_VIOLATIONS = 20;

  /** What the sender is told. */
  String message() default "is missing";

  /** Not used. */
  Class<?>[] groups() default {};

  /** Not used. */
  Class<? extends Payload>[] payload() default {};
}
