package io.onceflow.test.races;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One way in which messages, crashes and requests may come together: a line of a table, such as
 * {@code aRedeliveryChangesNothing: tell it it again; done}. Alternatives, {@code (it undo|undo
 * it)}, make a scenario of each. A line without a colon says which messages those after it are for.
 *
 * @param group which messages it is for
 * @param steps separated by semicolons
 */
record RacedScenario(String name, String group, String steps) {

  /** Stands for the number of a commit: the scenario is tried with each. */
  private static final String EACH_COMMIT = " N ";

  private static final Pattern ALTERNATIVES = Pattern.compile("\\(([^)]*)\\)");

  /**
   * One step: what is done, with which messages, at which process.
   *
   * @param at the word for a process; {@code any} is the oldest that lives
   */
  record Step(String verb, List<String> words, String at) {

    private static Step of(String text) {
      List<String> all = List.of(text.strip().split(" +"));
      int last = all.size() - 1;
      boolean isPlaced = last > 1 && all.get(last - 1).matches("at|to");
      return new Step(
          all.getFirst(),
          all.subList(1, isPlaced ? last - 1 : last + 1),
          isPlaced ? all.get(last) : "any");
    }

    String first() {
      return words.getFirst();
    }

    @Override
    public String toString() {
      String what = (verb + " " + String.join(" ", words)).strip();
      return at.equals("any") ? what : what + " at " + at;
    }
  }

  static List<RacedScenario> read(String table) {
    List<RacedScenario> scenarios = new ArrayList<>();
    String group = "";
    for (String line : table.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        group = line;
      } else {
        for (String steps : alternatives(line.substring(colon + 1).strip().replaceAll(" +", " "))) {
          scenarios.add(new RacedScenario(line.substring(0, colon), group, steps));
        }
      }
    }
    return scenarios;
  }

  private static List<String> alternatives(String steps) {
    Matcher several = ALTERNATIVES.matcher(steps);
    return several.find()
        ? Stream.of(several.group(1).split("\\|")).map(several::replaceFirst).toList()
        : List.of(steps);
  }

  /** Whether a process dies in it at its first commit, then at its second one, and so on. */
  boolean isOfEachCommit() {
    return steps.contains(EACH_COMMIT);
  }

  /** The same, with a crash at the commit of this number. */
  RacedScenario atCommit(int number) {
    return new RacedScenario(name, group, steps.replace(EACH_COMMIT, " " + number + " "));
  }

  /** What happens in it, one after the other. */
  List<Step> inOrder() {
    return inOrder(steps, ";");
  }

  static List<Step> inOrder(String steps, String separator) {
    return Stream.of(steps.split(separator)).map(Step::of).toList();
  }

  /** For the names of tests. */
  @Override
  public String toString() {
    return name + " (" + steps + ")";
  }
}
