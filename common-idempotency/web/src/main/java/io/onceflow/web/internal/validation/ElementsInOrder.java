package io.onceflow.web.internal.validation;

import io.onceflow.web.ValidElements;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.ConstraintValidatorContext.ConstraintViolationBuilder;
import jakarta.validation.ConstraintValidatorContext.ConstraintViolationBuilder.LeafNodeBuilderCustomizableContext;
import jakarta.validation.ConstraintValidatorContext.ConstraintViolationBuilder.NodeBuilderCustomizableContext;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates a list's elements and stops at {@link ValidElements#MOST_VIOLATIONS} violations. Public
 * for the validator, which makes it.
 */
public class ElementsInOrder implements ConstraintValidator<ValidElements, List<?>> {

  @Override
  public boolean isValid(@Nullable List<?> list, ConstraintValidatorContext context) {
    if (list == null) {
      return true;
    }
    context.disableDefaultConstraintViolation();
    int found = 0;
    for (int i = 0; i < list.size() && found < ValidElements.MOST_VIOLATIONS; i++) {
      found += violations(list.get(i), i, ValidElements.MOST_VIOLATIONS - found, context);
    }
    return found == 0;
  }

  /** Tells of the violations of one element, of so many at most; returns of how many. */
  private int violations(
      @Nullable Object element, int index, int most, ConstraintValidatorContext context) {
    if (element == null) {
      String missing = context.getDefaultConstraintMessageTemplate();
      ConstraintViolationBuilder builder = context.buildConstraintViolationWithTemplate(missing);
      builder.addBeanNode().inIterable().atIndex(index).addConstraintViolation();
      return 1;
    }
    // Not injected: the validator is being made when this is.
    Set<ConstraintViolation<Object>> violations =
        CDI.current().select(Validator.class).get().validate(element);
    violations.stream().limit(most).forEach(violation -> tell(violation, index, context));
    return Math.min(most, violations.size());
  }

  /** Repeats the path of a violation below the element's own. */
  private static void tell(
      ConstraintViolation<?> violation, int index, ConstraintValidatorContext context) {
    Iterator<Path.Node> path = violation.getPropertyPath().iterator();
    NodeBuilderCustomizableContext node =
        context
            .buildConstraintViolationWithTemplate(violation.getMessage())
            .addPropertyNode(path.next().getName());
    @Nullable Integer at = index;
    while (path.hasNext()) {
      Path.Node next = path.next();
      if (next.getKind() == ElementKind.BEAN) {
        element(node, at).inIterable().atIndex(next.getIndex()).addConstraintViolation();
        return;
      }
      node = property(node, at, next.getName());
      at = next.getIndex();
    }
    if (at == null) {
      node.addConstraintViolation();
    } else {
      node.inIterable().atIndex(at).addConstraintViolation();
    }
  }

  private static LeafNodeBuilderCustomizableContext element(
      NodeBuilderCustomizableContext node, @Nullable Integer at) {
    return at == null ? node.addBeanNode() : node.inIterable().atIndex(at).addBeanNode();
  }

  private static NodeBuilderCustomizableContext property(
      NodeBuilderCustomizableContext node, @Nullable Integer at, String name) {
    return at == null
        ? node.addPropertyNode(name)
        : node.inIterable().atIndex(at).addPropertyNode(name);
  }
}
