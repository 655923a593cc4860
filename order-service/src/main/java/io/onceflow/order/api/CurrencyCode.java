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
import java.util.Currency;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A currency of ISO 4217 by its three capital letters. Null is left to other constraints. */
@Documented
@Constraint(validatedBy = CurrencyCode.Validator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@interface CurrencyCode {

  String message() default "must be an ISO 4217 code such as EUR";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** Looks the code up in the JDK's table. */
  final class Validator implements ConstraintValidator<CurrencyCode, String> {

    private static final Set<String> KNOWN =
        Currency.getAvailableCurrencies().stream()
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public boolean isValid(@Nullable String code, ConstraintValidatorContext context) {
      return code == null || KNOWN.contains(code);
    }
  }
}
