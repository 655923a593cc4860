package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The shell steps of a workflow, run here as GitHub runs them. */
record WorkflowSteps(List<JsonNode> steps) {

  /** Of all jobs of a file in .github/workflows. */
  static WorkflowSteps of(String file) {
    String text = Overlay.read(Overlay.root().resolve(".github/workflows").resolve(file));
    return new WorkflowSteps(
        Yaml.tree(text).path("jobs").findParents("run").stream()
            .filter(step -> step.path("run").isTextual())
            .toList());
  }

  /** What a step says to the shell. */
  String script(String name) {
    return steps.stream()
        .filter(step -> step.path("name").asText().equals(name))
        .map(step -> step.path("run").asText())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no step " + name));
  }

  List<String> scripts() {
    return steps.stream().map(step -> step.path("run").asText()).toList();
  }

  /**
   * Runs a script.
   *
   * @param checkout the working directory
   * @param options of the shell, beside GitHub's own
   * @param environment beside this process's
   * @return whether it ended well
   */
  static boolean run(
      String script, Path checkout, List<String> options, Map<String, String> environment, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder shell = new ProcessBuilder("bash", "-eo", "pipefail");
    shell.command().addAll(options);
    shell.command().addAll(List.of("-c", script));
    shell.environment().putAll(environment);
    shell.directory(checkout.toFile()).redirectErrorStream(true);
    return shell.redirectOutput(log.toFile()).start().waitFor() == 0;
  }
}
