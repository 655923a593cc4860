package io.onceflow.quarkus.runtime;

import io.onceflow.participant.internal.HandlerMethods;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.List;

/** The constraints of Jakarta Bean Validation on the components of commands. */
record CommandValidation(Validator validator) implements HandlerMethods.Validation {

  @Override
  public List<String> violations(Record command) {
    return validator.validate(command).stream().map(CommandValidation::sentence).sorted().toList();
  }

  private static String sentence(ConstraintViolation<?> violation) {
    return violation.getPropertyPath() + " " + violation.getMessage();
  }
}
