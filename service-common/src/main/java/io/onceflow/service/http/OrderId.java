package io.onceflow.service.http;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A query parameter that must be there and be a UUID. As text, since JAX-RS answers 404 to a
 * parameter that it cannot convert, and the fault is in the question.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
@ReportAsSingleViolation
@NotNull
@Pattern(regexp = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}")
public @interface OrderId {

  /** What a caller is told who gets it wrong. */
  String message() default "must be the order's id, a UUID";

  /** Not used. */
  Class<?>[] groups() default {};

  /** Not used. */
  Class<? extends Payload>[] payload() default {};
}
