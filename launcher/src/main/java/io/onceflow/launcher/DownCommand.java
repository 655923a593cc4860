package io.onceflow.launcher;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Stops everything. */
@Command(
    name = "down",
    description = "Stops everything that is up; the data stay.",
    mixinStandardHelpOptions = true)
final class DownCommand implements Callable<Integer> {

  @Override
  public Integer call() throws IOException, InterruptedException {
    Progress progress = new Progress(System.out);
    boolean stopped = new StackControl(Home.ofThisProcess(), progress).down();
    progress.say(stopped ? "Down; nothing is left running" : "Nothing is up");
    return 0;
  }
}
