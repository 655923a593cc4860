package io.onceflow.saga.store;

import static java.util.stream.Collectors.joining;

import io.onceflow.saga.SagaDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * The definitions that a process can move sagas on by. A service checks at its start that no saga
 * follows another one: nobody would look after it.
 */
public final class KnownVersions {

  private final List<? extends SagaDefinition<?>> known;

  /**
   * @param known every definition in every version
   */
  public KnownVersions(Collection<? extends SagaDefinition<?>> known) {
    this.known = List.copyOf(known);
  }

  /**
   * Checks that every saga that has not ended follows one of them.
   *
   * @throws SagaVersionUnknown if some do not; the process must not start
   */
  public void check(Connection tx) throws SQLException {
    List<OpenSagas.Version> unknown =
        OpenSagas.versions(tx).stream().filter(version -> !isKnown(version)).toList();
    if (!unknown.isEmpty()) {
      throw new SagaVersionUnknown(
          unknown, known.stream().map(SagaDefinition::toString).collect(joining(", ")));
    }
  }

  private boolean isKnown(OpenSagas.Version version) {
    return known.stream()
        .anyMatch(
            definition ->
                definition.name().equals(version.definition())
                    && definition.version() == version.version());
  }
}
