package io.onceflow.order.api;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** One line of text with something in it: not blank, no control characters. */
@Documented
@NotBlank
@Pattern(regexp = "\\P{Cntrl}*")
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@interface PlainText {

  String message() default "must be text without control characters, and not blank";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};
}
