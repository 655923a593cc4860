package io.onceflow.order.api;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A country of ISO 3166-1 by its two capital letters. Null is left to other constraints. */
@Documented
@Constraint(validatedBy = CountryCode.Validator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface CountryCode {

  /** What the sender is told. */
  String message() default "must be an ISO 3166-1 alpha-2 code such as GB";

  /** Not used. */
  Class<?>[] groups() default {};

  /** Not used. */
  Class<? extends Payload>[] payload() default {};

  /** Looks the code up in the JDK's table. */
  final class Validator implements ConstraintValidator<CountryCode, String> {

    private static final Set<String> KNOWN = Set.of(Locale.getISOCountries());

    @Override
    public boolean isValid(@Nullable String code, ConstraintValidatorContext context) {
      return code == null || KNOWN.contains(code);
    }
  }
}
