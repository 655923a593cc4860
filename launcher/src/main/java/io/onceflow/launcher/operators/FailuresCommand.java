package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the sagas that do not move on fail of. */
@Reads
@Command(
    name = "failures",
    description = {
      "Groups open sagas that do not move on by step and error, the largest group first.",
      "list and repair take a group's FINGERPRINT as --failure."
    })
public final class FailuresCommand implements Callable<Integer> {

  @Mixin private Server server;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode answer = server.orchestrator().get("/sagas/failures");
    if (!server.printed(answer)) {
      ShellTable.of(
              answer.path("groups"),
              "SAGAS=count",
              "DEFINITION=definition",
              "STEP=step",
              "DIRECTION=direction",
              "KIND=kind",
              "ERROR=error",
              "FIRST=firstAt",
              "LAST=lastAt",
              "FINGERPRINT=fingerprint")
          .print(server.out());
      if (!answer.path("complete").asBoolean(true)) {
        server.remark("there are more open sagas: 10,000 of each definition are read");
      }
    }
    return 0;
  }
}
