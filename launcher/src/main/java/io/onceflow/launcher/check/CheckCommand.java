package io.onceflow.launcher.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.stack.Backends.Database;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import io.onceflow.launcher.stack.StackState;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks a running installation. */
@Command(
    name = "check",
    sortOptions = false,
    description = {
      "Checks a running installation: reads the tables of its services, each in one read-only"
          + " transaction, and prints which laws are broken, with evidence.",
      "",
      "Without --database it checks the local stack. With it, a database NAME is reached by the"
          + " environment variables ONCEFLOW_<NAME>_JDBC_URL, ..._USERNAME and ..._PASSWORD. Name"
          + " the databases of all services, since steps and books are compared."
    },
    footerHeading = "%nExit codes%n",
    footer = {
      "0  nothing is broken",
      "1  something is, or a database is not reachable",
      "2  the command line is wrong"
    })
public final class CheckCommand implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Home home = Home.ofThisProcess();
  private final Map<String, String> environment;

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--database",
      paramLabel = "NAME",
      description = "A service's database; may be repeated.")
  private List<String> databases = List.of();

  @Option(
      names = "--newest",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Read the newest N sagas and orders; ${DEFAULT-VALUE} by default.")
  private int newest;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      defaultValue = "PT5M",
      description = "What is overdue for less is left out; ${DEFAULT-VALUE} by default.")
  private Duration grace = Duration.ZERO;

  @Option(
      names = "--within",
      paramLabel = "DURATION",
      defaultValue = "PT24H",
      description =
          "Compare with inboxes the sagas that ended within this time, which is shorter than their"
              + " retention; ${DEFAULT-VALUE} by default.")
  private Duration within = Duration.ZERO;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "PT10S",
      description = "A query that takes longer is cancelled; ${DEFAULT-VALUE} by default.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "20",
      description = "Print at most N findings of a law; ${DEFAULT-VALUE} by default.")
  private int most;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /** Reads the environment of this process. */
  public CheckCommand() {
    this(System.getenv());
  }

  CheckCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    InstallationCheck check;
    try {
      check =
          InstallationCheck.of(
              databases.isEmpty() ? ofStack() : ofEnvironment(),
              new CheckBounds(newest, most, grace, within, timeout));
    } catch (SQLException e) {
      throw new LaunchException("The check did not finish: " + e.getMessage());
    }
    print(check);
    return check.findings().isEmpty() ? 0 : 1;
  }

  private Map<String, Database> ofEnvironment() {
    Map<String, Database> all = new LinkedHashMap<>();
    for (String name : databases) {
      String prefix = "ONCEFLOW_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
      String url = environment.get(prefix + "_JDBC_URL");
      if (url == null) {
        throw new LaunchException(
            "For --database %s set %s_JDBC_URL, %s_USERNAME and %s_PASSWORD"
                .formatted(name, prefix, prefix, prefix));
      }
      all.put(
          name,
          new Database(
              url,
              environment.getOrDefault(prefix + "_USERNAME", name),
              environment.getOrDefault(prefix + "_PASSWORD", Credentials.PASSWORD)));
    }
    return all;
  }

  private Map<String, Database> ofStack() throws IOException, InterruptedException {
    Optional<StackState> stack =
        new StackControl(home, new Progress(System.err)).runningAnyhow().filter(StackState::ready);
    Map<String, Database> all = new LinkedHashMap<>();
    stack.ifPresent(
        state ->
            state
                .urls()
                .forEach(
                    (name, url) -> {
                      if (url.startsWith("jdbc:")) {
                        all.put(name, new Database(url, name, Credentials.PASSWORD));
                      }
                    }));
    if (all.isEmpty()) {
      throw new LaunchException(
          "No stack with reachable databases is up. Start one (./onceflow up), or name the"
              + " databases by --database");
    }
    return all;
  }

  private void print(InstallationCheck check) throws JsonProcessingException {
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(check));
    } else {
      check
          .findings()
          .forEach(
              it ->
                  out.printf(
                      "BROKEN  %s%n        %s in %s: %s%n",
                      it.law(), it.subject(), it.database(), it.evidence()));
      check.notChecked().forEach(it -> out.println("not checked: " + it));
      out.printf("%s laws checked, %s findings%n", check.laws().size(), check.findings().size());
    }
    out.flush();
  }
}
