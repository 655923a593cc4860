package io.onceflow.saga.internal.store.version;

import static java.util.stream.Collectors.joining;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.SagaCounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * The definitions that a process can move sagas on by, beside those that sagas follow.
 *
 * <p>A saga of a version that is newer than all known here, or of a definition that is unknown
 * here, was started by a newer build: this one was rolled back, or runs beside the newer one. It
 * leaves such sagas to the replicas that know them. A saga of an older version than the newest
 * known here was started by an older build; this build has dropped the version too early, and so
 * would every later one, so that no replica would be left to move the saga.
 */
public final class KnownVersions {

  private final List<? extends SagaDefinition<?>> known;
  private final DataSource database;

  /**
   * @param known every definition in every version
   */
  public KnownVersions(DataSource database, Collection<? extends SagaDefinition<?>> known) {
    this.database = database;
    this.known = List.copyOf(known);
  }

  /**
   * Checks that no saga under way follows a version that this build has dropped.
   *
   * @return the versions that sagas under way follow and that are not known here, newer all of them
   * @throws SagaVersionUnknown if some were dropped; the process must not start
   */
  public List<OpenSagas.Version> check(Connection tx) throws SQLException {
    List<OpenSagas.Version> unknown =
        unknown(SagaCounts.open(tx, new OpenTimers(database)).versions());
    List<OpenSagas.Version> dropped = unknown.stream().filter(this::isDropped).toList();
    if (!dropped.isEmpty()) {
      throw new SagaVersionUnknown(dropped, list(known));
    }
    return unknown;
  }

  /** Those of the versions that sagas under way follow that are not known here. */
  public List<OpenSagas.Version> unknown(List<OpenSagas.Version> followed) {
    return followed.stream().filter(version -> !isKnown(version)).toList();
  }

  static String list(Collection<? extends SagaDefinition<?>> definitions) {
    return definitions.stream().map(SagaDefinition::toString).sorted().collect(joining(", "));
  }

  private boolean isKnown(OpenSagas.Version version) {
    return known.stream()
        .anyMatch(
            definition ->
                definition.name().equals(version.definition())
                    && definition.version() == version.version());
  }

  private boolean isDropped(OpenSagas.Version version) {
    return known.stream()
        .anyMatch(
            definition ->
                definition.name().equals(version.definition())
                    && definition.version() > version.version());
  }
}
