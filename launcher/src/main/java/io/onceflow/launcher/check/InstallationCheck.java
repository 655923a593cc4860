package io.onceflow.launcher.check;

import io.onceflow.launcher.stack.Backends.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a check has come to.
 *
 * @param laws that were checked
 * @param findings where they are broken
 * @param notChecked what could not be, and why
 */
public record InstallationCheck(
    List<String> laws, List<Finding> findings, List<String> notChecked) {

  /** The law about parked messages, of which chaos sends some by hand. */
  public static final String PARKED = TableLaw.NOTHING_IS_PARKED.words();

  /**
   * Checks an installation. Reads only.
   *
   * @param databases those of its services, by name
   */
  public static InstallationCheck of(Map<String, Database> databases, CheckBounds bounds)
      throws SQLException {
    List<CheckedDatabase> opened = new ArrayList<>();
    try {
      for (Map.Entry<String, Database> database : databases.entrySet()) {
        opened.add(new CheckedDatabase(database.getKey(), database.getValue(), bounds));
      }
      return check(opened);
    } finally {
      for (CheckedDatabase database : opened) {
        database.close();
      }
    }
  }

  private static InstallationCheck check(List<CheckedDatabase> databases) throws SQLException {
    List<String> laws = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    List<String> notChecked = new ArrayList<>();
    for (CheckedDatabase database : databases) {
      for (TableLaw law : TableLaw.values()) {
        if (law.concerns(database)) {
          laws.add(database.name() + ": " + law.words());
          findings.addAll(law.check(database));
        }
      }
    }
    for (CheckedDatabase database : databases) {
      if (database.has("saga_instance")) {
        laws.add(database.name() + ": " + StepLaw.WORDS);
        findings.addAll(StepLaw.check(database, databases, notChecked));
      }
      if (database.has("orders") && database.has("saga_instance")) {
        laws.add(database.name() + ": orders, sagas, payments, shipments and ledgers agree");
        findings.addAll(new OrderBookReader(databases).check(database));
      }
    }
    return new InstallationCheck(laws, findings, notChecked);
  }
}
