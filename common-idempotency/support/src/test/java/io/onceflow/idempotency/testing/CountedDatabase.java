package io.onceflow.idempotency.testing;

import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A database that lists the statements that are sent to it: each of them is a round trip. */
public final class CountedDatabase {

  private static final Pattern VERB = Pattern.compile("INSERT|UPDATE|DELETE|SELECT");
  private static final Pattern TABLE =
      Pattern.compile("(?:INTO|UPDATE|(?<!DISTINCT )FROM|JOIN)\\s+(?!unnest|LATERAL)(\\w+)");

  private final DataSource real;
  private final List<String> statements = new CopyOnWriteArrayList<>();

  public CountedDatabase(DataSource real) {
    this.real = real;
  }

  /** Verb and first table of each, such as {@code INSERT inbox_message}, in their order. */
  public List<String> statements() {
    return List.copyOf(statements);
  }

  /** Forgets what was sent until now. */
  public void clear() {
    statements.clear();
  }

  /** What the code under test gets. */
  public DataSource source() {
    return Interception.ofConnections(real, this::counted);
  }

  private Connection counted(Connection connection) {
    return Interception.ofCalls(
        connection,
        (method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments != null) {
            statements.add(told((String) arguments[0]));
          }
        });
  }

  private static String told(String sql) {
    return first(VERB.matcher(sql), 0) + " " + first(TABLE.matcher(sql), 1);
  }

  private static String first(Matcher matcher, int group) {
    return matcher.find() ? matcher.group(group) : "?";
  }
}
