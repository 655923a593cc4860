package io.onceflow.launcher;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stops one service and starts it again. */
@Command(
    name = "restart",
    description = "Stops one service, if it runs, and starts it again; the others keep running.",
    mixinStandardHelpOptions = true)
final class RestartCommand implements Callable<Integer> {

  @Parameters(paramLabel = "SERVICE", description = "For example payment-service.")
  private String service = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    Progress progress = new Progress(System.out);
    new StackControl(Home.ofThisProcess(), progress).restart(service);
    return 0;
  }
}
