package io.onceflow.launcher.check;

import static java.util.stream.Collectors.groupingBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the steps that sagas know as done with the inboxes of their participants. A step of
 * which no inbox knows a single one belongs to a participant whose database is not checked.
 */
final class StepLaw {

  static final String WORDS = "a step is done only where its participant has completed it";

  private static final String DONE =
      """
      SELECT saga.id, scope, concat(root_key, ':', step ->> 'name', '@', origin), concat(step ->> 'name', '@', origin)
      FROM   (SELECT id, scope, root_key, origin, steps
              FROM   saga_instance
              WHERE  ended_at > now() - :within
              ORDER  BY id DESC
              LIMIT  :newest) saga,
             json_array_elements(saga.steps) step
      WHERE  step ->> 'status' = 'SUCCEEDED'
      AND    step ->> 'reply' IS NOT NULL               -- one that was run locally has none
      """;

  private static final String FOUND =
      """
      SELECT scope, step_key, status
      FROM   inbox_message
      JOIN   unnest(?::text[], ?::text[]) AS wanted (scope, step_key) USING (scope, step_key)
      """;

  private record DoneStep(String saga, String scope, String key, String kind) {

    List<String> id() {
      return List.of(scope, key);
    }
  }

  private StepLaw() {}

  /**
   * Checks the sagas of one database.
   *
   * @param notChecked is told which steps belong to other participants
   */
  static List<Finding> check(
      CheckedDatabase orchestrator, List<CheckedDatabase> participants, List<String> notChecked)
      throws SQLException {
    List<DoneStep> done =
        orchestrator.rows(
            DONE,
            row ->
                new DoneStep(
                    row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
    Map<List<String>, String> found = new HashMap<>();
    for (CheckedDatabase participant : participants) {
      found.putAll(find(participant, done));
    }
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, List<DoneStep>> kind :
        new TreeMap<>(done.stream().collect(groupingBy(DoneStep::kind))).entrySet()) {
      if (kind.getValue().stream().noneMatch(step -> found.containsKey(step.id()))) {
        notChecked.add("steps " + kind.getKey() + ": no checked database has them in its inbox");
      } else {
        kind.getValue().stream()
            .filter(step -> !"COMPLETED".equals(found.get(step.id())))
            .limit(orchestrator.bounds().most())
            .map(step -> finding(orchestrator, step, found.get(step.id())))
            .forEach(findings::add);
      }
    }
    return findings;
  }

  private static Finding finding(
      CheckedDatabase orchestrator, DoneStep step, @Nullable String status) {
    String inbox = status == null ? "no inbox has it" : "its inbox has it as " + status;
    return new Finding(
        WORDS, orchestrator.name(), step.saga(), step.key() + " is done, and " + inbox);
  }

  private static Map<List<String>, String> find(CheckedDatabase participant, List<DoneStep> done)
      throws SQLException {
    Map<List<String>, String> found = new HashMap<>();
    if (participant.has("inbox_message")) {
      participant
          .rows(
              FOUND,
              row -> Map.entry(List.of(row.getString(1), row.getString(2)), row.getString(3)),
              done.stream().map(DoneStep::scope).toList(),
              done.stream().map(DoneStep::key).toList())
          .forEach(it -> found.put(it.getKey(), it.getValue()));
    }
    return found;
  }
}
