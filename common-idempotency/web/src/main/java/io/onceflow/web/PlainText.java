package io.onceflow.web;

import io.onceflow.core.internal.Printable;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One line of text with something in it: not blank, and no character that cannot be seen, such as a
 * control character, a line separator, a zero-width one, or one that turns the direction of
 * writing. Null is valid, as by convention.
 */
@Documented
@Pattern(regexp = ".*\\S.*")
@Pattern(regexp = Printable.VISIBLE)
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface PlainText {

  /** What the sender is told. */
  String message() default "must be one line of visible text, and not blank";

  /** Not used. */
  Class<?>[] groups() default {};

  /** Not used. */
  Class<? extends Payload>[] payload() default {};
}
