package io.onceflow.launcher.stack;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A launcher that stays when the command that started it ends, and its terminal closes. */
public final class DetachedLauncher {

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final Home home;
  private final Progress progress;

  /** Passes on to the progress what the launcher says. */
  public DetachedLauncher(Home home, Progress progress) {
    this.home = home;
    this.progress = progress;
  }

  /**
   * Starts it and returns when the stack is up.
   *
   * @param mainClass the launcher's main class
   * @param arguments its command line
   * @throws LaunchException if it ends before that
   */
  public void start(Class<?> mainClass, List<String> arguments)
      throws IOException, InterruptedException {
    Path log = home.log("launcher");
    Files.createDirectories(log.getParent());
    Process launcher =
        new ProcessBuilder(command(mainClass, arguments))
            .directory(home.root().toFile())
            .redirectInput(Redirect.from(JavaCommand.NOTHING))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Thread stopIt = new Thread(launcher::destroy, "stop-detached-launcher");
    Runtime.getRuntime().addShutdownHook(stopIt);
    try (RandomAccessFile said = new RandomAccessFile(log.toFile(), "r")) {
      while (launcher.isAlive() && !isUpBy(launcher)) {
        Thread.sleep(LOOK_EVERY);
        passOn(said);
      }
      passOn(said);
    }
    if (!launcher.isAlive()) {
      throw new LaunchException("Not up; the reason is above");
    }
    Runtime.getRuntime().removeShutdownHook(stopIt);
  }

  /**
   * Starts it in a new session where the system supports that; otherwise it ignores the end of the
   * terminal.
   */
  private static List<String> command(Class<?> mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(find("setsid").orElse("nohup"));
    command.add(JavaCommand.path());
    Optional.ofNullable(System.getProperty("onceflow.home"))
        .ifPresent(root -> command.add("-Donceflow.home=" + root));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass.getName());
    command.addAll(arguments);
    return command;
  }

  private static Optional<String> find(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> new File(folder, program))
        .filter(File::canExecute)
        .map(File::getPath)
        .findFirst();
  }

  private boolean isUpBy(Process launcher) throws IOException {
    return StackState.read(home.stackFile())
        .filter(StackState::ready)
        .map(StackState::launcher)
        .filter(it -> it.pid() == launcher.pid())
        .isPresent();
  }

  private void passOn(RandomAccessFile said) throws IOException {
    byte[] bytes = new byte[(int) (said.length() - said.getFilePointer())];
    said.readFully(bytes);
    if (bytes.length > 0) {
      progress.pass(new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
