package io.onceflow.web.internal.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import org.jspecify.annotations.Nullable;

/**
 * Properties of Onceflow's own types are named as they are documented, stored and read by other
 * services, also where the application has a naming strategy for its own.
 */
final class DocumentedNames extends NopAnnotationIntrospector {

  private static final long serialVersionUID = 1L;

  private static final String OWN = "io.onceflow.";

  @Override
  public @Nullable Object findNamingStrategy(AnnotatedClass type) {
    return type.getRawType().getName().startsWith(OWN)
        ? PropertyNamingStrategies.LOWER_CAMEL_CASE
        : null;
  }
}
