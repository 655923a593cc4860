package io.onceflow.benchmarks.ceiling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what PostgreSQL writes with {@code log_destination=jsonlog}. */
final class JsonLog {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** With a duration it is logged at its end, and once: parse and bind are other lines. */
  private static final Pattern EXECUTED =
      Pattern.compile("duration: [0-9.]+ ms  (?:execute [^:]*|statement): (.*)", Pattern.DOTALL);

  private JsonLog() {}

  /**
   * The statements that ended, in the order of their ends.
   *
   * @param log lines of JSON; a last line may be cut off
   * @param users whose statements are wanted
   */
  static List<LoggedStatement> statements(String log, Set<String> users) {
    List<LoggedStatement> statements = new ArrayList<>();
    log.lines().forEach(line -> statement(line, users).ifPresent(statements::add));
    return statements;
  }

  private static Optional<LoggedStatement> statement(String line, Set<String> users) {
    JsonNode entry;
    try {
      entry = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      return Optional.empty(); // The line that is being written while the log is read.
    }
    Matcher executed = EXECUTED.matcher(entry.path("message").asText());
    if (!users.contains(entry.path("user").asText()) || !executed.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new LoggedStatement(
            entry.path("dbname").asText(),
            entry.path("session_id").asText(),
            entry.path("vxid").asText(),
            entry.path("query_id").asLong(),
            executed.group(1),
            LoggedParameters.parse(entry.path("detail").asText())));
  }
}
