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
import java.util.Arrays;
import java.util.Currency;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A currency in which people pay today, by its three capital letters of ISO 4217. Null is left to
 * other constraints.
 */
@Documented
@Constraint(validatedBy = CurrencyCode.Validator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface CurrencyCode {

  /** What the sender is told. */
  String message() default "must be the ISO 4217 code of a currency in use, such as EUR";

  /** Not used. */
  Class<?>[] groups() default {};

  /** Not used. */
  Class<? extends Payload>[] payload() default {};

  /**
   * Looks the code up among the currencies that the JDK names for a country today. Its table of
   * codes is longer: it has withdrawn currencies (DEM), units of account and funds (CHW), metals
   * (XAU), the code for tests (XTS) and the one for none (XXX).
   */
  final class Validator implements ConstraintValidator<CurrencyCode, String> {

    private static final Set<String> KNOWN =
        Arrays.stream(Locale.getISOCountries())
            .map(country -> Currency.getInstance(Locale.of("", country)))
            .filter(Objects::nonNull) // Antarctica has none
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public boolean isValid(@Nullable String code, ConstraintValidatorContext context) {
      return code == null || KNOWN.contains(code);
    }
  }
}
