package io.onceflow.saga.internal.store.version;

import static java.util.stream.Collectors.joining;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The steps of each version of each definition, as the first process that ran it had them. Until a
 * saga follows a version its steps may change; after that they need a new version, since sagas
 * under way would execute what they were not started with.
 */
public final class DefinitionShapes {

  /** The one that is stored; the given one where none was, or where no saga follows the version. */
  private static final String REMEMBER =
      """
      INSERT INTO saga_definition_shape AS known (definition, version, shape)
      VALUES (?, ?, ?)
      ON CONFLICT (definition, version) DO UPDATE
      SET    shape = CASE WHEN known.shape = excluded.shape
                          OR EXISTS (SELECT
                                     FROM   saga_instance
                                     WHERE  definition = excluded.definition
                                     AND    version = excluded.version)
                          THEN known.shape
                          ELSE excluded.shape END
      RETURNING shape
      """;

  private static final String REPLACE =
      "UPDATE saga_definition_shape SET shape = ? WHERE definition = ? AND version = ?";

  private DefinitionShapes() {}

  /**
   * A version that sagas follow and whose steps have changed.
   *
   * @param before the steps that its sagas were started with
   * @param now those that this build has
   */
  public record Changed(SagaDefinition<?> definition, String before, String now) {}

  /** Remembers the shapes that are new, and finds those that have changed under their sagas. */
  public static List<Changed> remember(
      Connection tx, Collection<? extends SagaDefinition<?>> definitions) throws SQLException {
    List<Changed> changed = new ArrayList<>();
    for (SagaDefinition<?> definition : definitions) {
      String now = of(definition);
      String known =
          Sql.query(
                  tx,
                  REMEMBER,
                  row -> row.text("shape"),
                  definition.name(),
                  definition.version(),
                  now)
              .getFirst();
      if (!now.equals(known)) {
        changed.add(new Changed(definition, known, now));
      }
    }
    return changed;
  }

  /** Takes the steps that this build has for those of the version. */
  public static void replace(Connection tx, Changed changed) throws SQLException {
    Sql.update(
        tx, REPLACE, changed.now(), changed.definition().name(), changed.definition().version());
  }

  /** Names, order and kinds of the steps: {@code book (command, undone by cancel), pay (pivot)}. */
  static String of(SagaDefinition<?> definition) {
    return of(definition.parts());
  }

  private static String of(List<? extends StepGroup<?>> parts) {
    return parts.stream().map(DefinitionShapes::of).collect(joining(", "));
  }

  private static String of(StepGroup<?> group) {
    return group.members().stream().map(DefinitionShapes::of).collect(joining(" + "));
  }

  private static String of(Step<?> step) {
    String ways = step.ways().stream().map(way -> "; or " + of(way)).collect(joining());
    return "%s (%s%s%s%s)"
        .formatted(
            step.name(),
            kind(step),
            step.isPivot() ? ", pivot" : "",
            step.compensation().map(undo -> ", undone by " + undo.name()).orElse(""),
            ways);
  }

  private static String kind(Step<?> step) {
    return switch (step) {
      case Step.Send<?> send -> "command";
      case Step.Run<?> run -> "local";
      case ItemSteps<?, ?> items ->
          items.child().isPresent() ? "saga for each item" : "command for each item";
      case Wait<?> wait -> wait.kind() == Wait.Kind.CHILD ? "saga" : "wait";
      case Choice<?> choice ->
          choice.branches().stream()
              .map(Choice.Branch::name)
              .collect(joining(" or ", "choice of ", ""));
    };
  }
}
