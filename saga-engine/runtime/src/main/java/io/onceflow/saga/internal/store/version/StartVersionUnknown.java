package io.onceflow.saga.internal.store.version;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.SagaDefinition;
import java.util.Collection;

/** New sagas are to follow a version that this build does not have; it must not start. */
public final class StartVersionUnknown extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param definition the definition's name, as configured
   * @param version the version to be started, as configured
   * @param known what this build has
   */
  public StartVersionUnknown(
      String definition, int version, Collection<? extends SagaDefinition<?>> known) {
    super(
        "onceflow.saga.start-version.\"%s\" is %s, and this build knows %s. Set it to a version that it knows, or remove it to start the highest."
            .formatted(definition, version, KnownVersions.list(known)));
  }
}
