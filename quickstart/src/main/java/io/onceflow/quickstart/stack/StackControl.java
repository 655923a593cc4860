package io.onceflow.quickstart.stack;

import io.onceflow.quickstart.servers.Folders;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Controls the stack of a project's folder, also when another launcher started it. */
public final class StackControl {

  /**
   * A launcher stops its services, its broker and its PostgreSQL, each of which may take a while.
   */
  private static final Duration LAUNCHER_GRACE = Duration.ofSeconds(60);

  private final Home home;
  private final Progress progress;

  /** Controls the stack of the home. */
  public StackControl(Home home, Progress progress) {
    this.home = home;
    this.progress = progress;
  }

  /** What is up or being started; empty also if a launcher was killed and left things behind. */
  public Optional<StackState> running() throws IOException, InterruptedException {
    Optional<StackState> state = StackState.read(home.stackFile());
    boolean runs = state.isPresent() && runs(state.get());
    return runs ? state : Optional.empty();
  }

  /** As {@link #running()}; also finds what was started by Docker Compose itself. */
  public Optional<StackState> runningAnyhow() throws IOException, InterruptedException {
    Optional<StackState> running = running();
    boolean adopted = running.isEmpty() && new DockerStack(home).adopt();
    return adopted ? running() : running;
  }

  private boolean runs(StackState state) throws IOException, InterruptedException {
    if (state.launcher() == null) {
      return new DockerStack(home).isUp();
    }
    return state.launcher().isAlive();
  }

  /**
   * Runs a stack of local processes until it is stopped from outside or has no service left.
   *
   * @param fresh whether to start over with empty databases
   * @throws LaunchException if it cannot be started; nothing runs then
   */
  public void runInForeground(StackKind kind, StackPorts ports, boolean fresh)
      throws IOException, InterruptedException {
    ServerLogs.redirectTo(home.log("servers"));
    LauncherLock lock = LauncherLock.take(home);
    try {
      clear(fresh && kind == StackKind.embedded);
      run(new LocalStack(home, kind, ports, progress), kind);
    } finally {
      lock.close();
    }
  }

  private void clear(boolean dataToo) throws IOException {
    List<String> stopped = Leftovers.stop(home);
    if (!stopped.isEmpty()) {
      progress.say("Stopped what an earlier launcher had left: " + String.join(", ", stopped));
    }
    if (dataToo) {
      Folders.delete(home.postgres().resolve("data"));
    }
  }

  private void run(LocalStack stack, StackKind kind) throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stack), "stop-stack"));
    try {
      stack.start();
      progress.say(StackSummary.of(home, kind));
      stack.awaitEnd();
    } finally {
      stack.close();
    }
  }

  private void stop(LocalStack stack) {
    if (stack.isOpen()) {
      progress.say("Stopping");
      stack.close();
      progress.say("Stopped; nothing is left running");
    }
  }

  /**
   * Stops all running parts, also those that a killed launcher left behind; data stay.
   *
   * @return whether there was anything to stop
   */
  public boolean down() throws IOException, InterruptedException {
    runningAnyhow();
    Optional<StackState> state = StackState.read(home.stackFile());
    if (state.isPresent() && state.get().stack() == StackKind.docker) {
      new DockerStack(home).down();
      return true;
    }
    @Nullable OwnProcess launcher = state.map(StackState::launcher).orElse(null);
    boolean launcherRan = launcher != null && launcher.isAlive();
    if (launcherRan) {
      progress.say("Stopping");
      launcher.askToEnd();
      if (!launcher.awaitEnd(LAUNCHER_GRACE)) {
        progress.say("The launcher did not end and was killed");
      }
    }
    List<String> stopped = Leftovers.stop(home);
    if (!stopped.isEmpty()) {
      progress.say("Stopped what was left: " + String.join(", ", stopped));
    }
    return launcherRan || !stopped.isEmpty();
  }
}
