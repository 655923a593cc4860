package io.onceflow.inbox.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Runs paths through the states of {@code Participant.tla} against the participants: they cover
 * whatever a replica does about each content of its rows, with two replicas, one copy of each
 * command, one crash and one lease that ends while its owner works. After each action the oracle
 * and the tables are what TLC says. {@code ParticipantPathsTest} of the module {@code spec} writes
 * the file.
 *
 * <p>Seen red without the fencing token in {@code InboxTable.COMPLETE}, without the tombstone's
 * claim in {@code CommandBatch.decideWanted}, and when a compensation left an abandoned action as
 * it was ({@code PendingActions}).
 */
class ParticipantPathsTest {

  private static final String FILE = "participant-paths.txt";

  private final Map<String, String> tables = new HashMap<>();

  @Test
  void theCodeFollowsEachPathOfTheSpecification() throws IOException {
    List<String> paths = read();
    for (int i = 0; i < paths.size(); i++) {
      follow("path %s of %s".formatted(i + 1, FILE), paths.get(i), i % 2 == 0);
    }
  }

  private List<String> read() throws IOException {
    List<String> paths = new ArrayList<>();
    try (var file = Objects.requireNonNull(getClass().getResourceAsStream(FILE))) {
      for (String line : new String(file.readAllBytes(), UTF_8).lines().toList()) {
        String[] parts = line.split(": ", 2);
        if (parts.length == 2) {
          tables.put(parts[0], parts[1]);
        } else {
          paths.add(line);
        }
      }
    }
    return paths;
  }

  private void follow(String name, String path, boolean isCalledAtOnce) {
    String expected = tables.get("0");
    try (var both = new Comparison(name, isCalledAtOnce)) {
      for (String step : path.split(", ")) {
        String[] parts = step.split(" =");
        both.happen(Event.parse(parts[0]));
        expected = parts.length == 2 ? tables.get(parts[1]) : expected;
        assertThat(both.state().tables()).as("%s: %s", name, step).isEqualTo(expected);
      }
    }
  }
}
