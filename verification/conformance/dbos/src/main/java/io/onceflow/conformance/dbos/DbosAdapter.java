package io.onceflow.conformance.dbos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.ForkOptions;
import dev.dbos.transact.workflow.StepInfo;
import dev.dbos.transact.workflow.WorkflowState;
import dev.dbos.transact.workflow.WorkflowStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** The suite's requests, by DBOS' public API. The saga's key is the workflow's id. */
public final class DbosAdapter {

  private static final String REPAIRED = "-repaired";

  private final DBOS dbos;
  private final SuiteWorkflow workflow;

  private DbosAdapter(DBOS dbos, SuiteWorkflow workflow) {
    this.dbos = dbos;
    this.workflow = workflow;
  }

  /** Runs until it is killed. */
  public static void main(String[] arguments) throws Exception {
    String version = System.getenv("VERSION");
    if (version.equals("2")) {
      keepOldVersion();
    }
    List<String> steps =
        version.equals("1")
            ? List.of("first", "middle", "last")
            : List.of("first", "extra", "middle", "last");
    DBOS dbos = new DBOS(DBOSConfig.defaultsFromEnv("conformance").withAppVersion(version));
    SuiteWorkflow workflow =
        dbos.registerProxy(SuiteWorkflow.class, new CompensatingWorkflow(dbos, steps));
    dbos.launch();
    DbosAdapter adapter = new DbosAdapter(dbos, workflow);
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", adapter::handle);
    server.start();
  }

  /** Workflows in progress need a process of their version. */
  private static void keepOldVersion() throws IOException {
    ProcessHandle.Info self = ProcessHandle.current().info();
    ProcessBuilder old = new ProcessBuilder(self.command().orElseThrow());
    old.command().addAll(List.of(self.arguments().orElseThrow()));
    old.environment().put("VERSION", "1");
    old.environment().put("PORT", "0");
    old.inheritIO().start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = 200;
      String body;
      try {
        body = answer(exchange.getRequestMethod(), exchange.getRequestURI().toString());
      } catch (UnsupportedOperationException e) {
        status = 501;
        body = e.getMessage();
      } catch (Exception e) {
        status = 500;
        body = e.toString();
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private String answer(String method, String uri) throws Exception {
    String[] path = uri.split("[/?]");
    if (path.length < 3) {
      return "ready";
    }
    String key = path[2];
    String action = path.length == 3 ? "" : path[3];
    if (method.equals("GET")) {
      return read(key);
    }
    switch (action) {
      case "", "waits=true" -> {
        return start(key, !action.isEmpty());
      }
      case "cancel" -> {
        return String.valueOf(cancel(key));
      }
      case "messages" ->
          dbos.send(key, "message", CompensatingWorkflow.MESSAGE, path[4] + " of " + key);
      case "repair" -> repair(key);
      default ->
          throw new UnsupportedOperationException(
              "not covered: within a workflow there are no messages to deliver");
    }
    return "done";
  }

  private String start(String key, boolean waits) throws Exception {
    return dbos.startWorkflow(() -> workflow.run(key, waits), new StartWorkflowOptions(key))
        .workflowId();
  }

  private boolean cancel(String key) {
    if (dbos.getWorkflowStatus(key).orElseThrow().status() == WorkflowState.SUCCESS) {
      return false;
    }
    dbos.send(key, "cancel", CompensatingWorkflow.CANCEL, key);
    return true;
  }

  /** Runs a copy of the workflow from the step that failed. */
  private void repair(String key) {
    StepInfo failed =
        dbos.listWorkflowSteps(key).stream()
            .filter(step -> step.error() != null && step.functionName().startsWith("undo"))
            .findFirst()
            .orElseThrow();
    dbos.forkWorkflow(key, failed.functionId(), new ForkOptions(key + REPAIRED));
  }

  private String read(String key) {
    WorkflowStatus status =
        dbos.getWorkflowStatus(key + REPAIRED)
            .or(() -> dbos.getWorkflowStatus(key))
            .orElseThrow();
    String[] output = String.valueOf(status.output()).split(" ");
    String state =
        switch (status.status().name()) {
          case "PENDING", "ENQUEUED", "DELAYED" -> "RUNNING";
          case "SUCCESS" -> output[0];
          default -> "FAILED";
        };
    return "state=%s\nerror=%s\n".formatted(state, output.length > 1 ? output[1] : "")
        + dbos.listWorkflowSteps(status.workflowId()).stream()
            .filter(step -> step.functionName().contains(" "))
            .map(DbosAdapter::line)
            .collect(Collectors.joining("\n"));
  }

  /** The later line of a step counts. */
  private static String line(StepInfo step) {
    String[] name = step.functionName().split(" ");
    boolean isRefused = step.output() != null && !step.output().toString().isEmpty();
    String state = name[0].equals("do") ? "COMPLETED" : "COMPENSATED";
    return name[1] + "=" + (step.error() != null || isRefused ? "FAILED" : state);
  }
}
