package io.onceflow.systemtests;

import java.util.Arrays;
import java.util.List;

/**
 * What one endpoint answers to each kind of caller, as a status.
 *
 * @param anonymous without a token
 * @param badToken with any token that is not to be trusted
 * @param stranger to a customer who owns nothing of what is asked for
 * @param owner to the customer who owns it
 * @param operator to an operator
 */
record AccessRow(
    Endpoint endpoint, int anonymous, int badToken, int stranger, int owner, int operator) {

  /** Reads a table: a line for each endpoint, its columns parted by white space. */
  static List<AccessRow> read(String table) {
    return table
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(AccessRow::row)
        .toList();
  }

  private static AccessRow row(String line) {
    String[] cells = line.strip().split("\\s+");
    int[] statuses = Arrays.stream(cells).skip(3).mapToInt(Integer::parseInt).toArray();
    return new AccessRow(
        new Endpoint(cells[0], cells[1], cells[2]),
        statuses[0],
        statuses[1],
        statuses[2],
        statuses[3],
        statuses[4]);
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
