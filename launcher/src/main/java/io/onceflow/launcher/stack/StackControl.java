package io.onceflow.launcher.stack;

import io.onceflow.launcher.servers.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final Duration ASK_EVERY = Duration.ofMillis(100);

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
   * Stops a service, if it runs, and starts it again; returns when it is ready.
   *
   * @throws LaunchException if nothing is up, there is no such service, or it does not start
   */
  public void restart(String service) throws IOException, InterruptedException {
    StackState running =
        runningAnyhow()
            .orElseThrow(() -> new LaunchException("Nothing is up; start it: ./onceflow up"));
    if (!running.services().contains(service)) {
      throw new LaunchException(
          "There is no service %s; there are: %s"
              .formatted(service, String.join(", ", running.services())));
    }
    if (running.launcher() == null) {
      new DockerStack(home).restart(service);
      return;
    }
    if (!running.ready()) {
      throw new LaunchException("Another launcher is starting the stack; wait for it to finish");
    }
    Path request = home.restartRequest(service);
    Files.writeString(request, "");
    while (Files.exists(request)) {
      if (!running.launcher().isAlive()) {
        Files.deleteIfExists(request);
        throw new LaunchException("The launcher ended; start all of it: ./onceflow up");
      }
      Thread.sleep(ASK_EVERY);
    }
    boolean isUp =
        running().stream()
            .flatMap(it -> it.processes().stream())
            .anyMatch(it -> it.name().equals(service) && it.isAlive());
    if (!isUp) {
      Path log = home.log(service);
      throw new LaunchException(
          "%s did not start. The end of its log, %s:%n%s"
              .formatted(service, home.shorten(log), LogTail.of(log)));
    }
    progress.ready(service, running.url(service));
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
