package io.onceflow.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.servers.PostgresProcess;
import io.onceflow.launcher.stack.FakeService;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.OwnProcess;
import io.onceflow.launcher.stack.SampleServices;
import io.onceflow.launcher.stack.Service;
import io.onceflow.launcher.stack.ServicesFile;
import io.onceflow.launcher.stack.StackState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process, with a real PostgreSQL, a real broker and stand-ins for services. */
@Tag("nightly")
class LauncherTest {

  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Unpacked once for all tests. */
  @TempDir private static Path binaries;

  @TempDir private Path folder;
  private Home home;
  private List<String> ports;

  @BeforeEach
  void prepareServices() throws IOException {
    home = new Home(folder.resolve("with a blank"));
    Files.createDirectories(home.postgres());
    Files.createSymbolicLink(home.postgres().resolve("binaries"), binaries);
    Files.copy(SampleServices.FILE, home.services());
    for (Service service : ServicesFile.read(home.services())) {
      writeJar(service.jar());
    }
    ports = new ArrayList<>();
    for (String option :
        List.of(
            "order",
            "payment",
            "shipping",
            "postgres",
            "broker",
            "order-management",
            "payment-management",
            "shipping-management")) {
      ports.add("--" + option + "-port");
      ports.add(Integer.toString(FreePorts.next()));
    }
  }

  @AfterEach
  void leaveNothing() throws Exception {
    run("down");
    Files.delete(home.postgres().resolve("binaries"));
  }

  @Test
  void isUpUntilItIsDownAndThenNothingIsLeft() throws Exception {
    assertThat(up()).matches(Outcome::succeeded, "exit code 0");
    StackState state = state();
    assertThat(state.processes())
        .extracting(OwnProcess::name)
        .containsExactly("postgres", "order-service", "payment-service", "shipping-service");
    assertThat(state.processes()).allMatch(OwnProcess::isAlive);

    Outcome again = up();
    assertThat(again.exitCode()).isZero();
    assertThat(again.output()).startsWith("Already up");
    Outcome elsewhere = run("up", "--gateway", "stripe-double");
    assertThat(elsewhere.exitCode()).isEqualTo(1);
    assertThat(elsewhere.output()).contains("does not charge at Stripe's double");
    elsewhere = run("up", "--carrier", "easypost-double");
    assertThat(elsewhere.exitCode()).isEqualTo(1);
    assertThat(elsewhere.output()).contains("does not book at EasyPost's double");

    assertThat(run("down")).matches(Outcome::succeeded, "exit code 0");
    assertThat(state.processes()).noneMatch(OwnProcess::isAlive);
    assertThat(state.launcher().isAlive()).isFalse();
    assertThat(home.stackFile()).doesNotExist();
  }

  @Test
  void restartsOneServiceWhichMayHaveDied() throws Exception {
    assertThat(run("restart", "payment-service").output()).contains("Nothing is up");
    assertThat(up()).matches(Outcome::succeeded, "exit code 0");
    List<OwnProcess> before = state().processes();

    assertThat(run("restart", "payment-service")).matches(Outcome::succeeded, "exit code 0");
    OwnProcess restarted = process("payment-service");
    assertThat(before).doesNotContain(restarted);
    assertThat(before).filteredOn(OwnProcess::isAlive).hasSize(before.size() - 1);

    ProcessHandle.of(restarted.pid()).orElseThrow().destroyForcibly();
    restarted.awaitEnd(GRACE);
    assertThat(run("restart", "payment-service")).matches(Outcome::succeeded, "exit code 0");
    assertThat(state().processes()).hasSameSizeAs(before).allMatch(OwnProcess::isAlive);

    Outcome unknown = run("restart", "parcel-service");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.output())
        .contains("there are: order-service, payment-service, shipping-service");
  }

  private OwnProcess process(String name) throws IOException {
    return state().processes().stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void clearsUpAfterALauncherThatWasKilled() throws Exception {
    assertThat(up()).matches(Outcome::succeeded, "exit code 0");
    StackState orphans = state();
    ProcessHandle.of(orphans.launcher().pid()).orElseThrow().destroyForcibly();
    orphans.launcher().awaitEnd(GRACE);
    assertThat(orphans.processes()).allMatch(OwnProcess::isAlive);

    Outcome again = up();
    assertThat(again).matches(Outcome::succeeded, "exit code 0");
    assertThat(again.output()).contains("Stopped what an earlier launcher had left");
    assertThat(orphans.processes()).noneMatch(OwnProcess::isAlive);
    assertThat(state().processes()).allMatch(OwnProcess::isAlive);
  }

  @Test
  void saysWhyAServiceDiedAndLeavesNothing() throws Exception {
    String port = ports.get(ports.indexOf("--shipping-port") + 1);
    Outcome outcome = run(Map.of("FAKE_SERVICE_DIES_ON", port), upCommand());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output())
        .contains("shipping-service ended with code 3")
        .contains("the reason why");
    assertThat(home.stackFile()).doesNotExist();
    assertThat(PostgresProcess.find(home.postgres())).isEmpty();
  }

  @Test
  void saysOfNoServiceThatItDiedWhenItIsStoppedWhileItStarts() throws Exception {
    String port = ports.get(ports.indexOf("--order-port") + 1);
    List<String> command = new ArrayList<>(List.of(upCommand()));
    command.remove("--detach");
    Process launcher =
        start(Map.of("FAKE_SERVICE_NEVER_READY_ON", port), command.toArray(String[]::new));
    BufferedReader output = launcher.inputReader();
    String line = output.readLine();
    while (line != null && !line.contains("waiting for order-service")) {
      line = output.readLine();
    }

    launcher.toHandle().destroy();

    assertThat(String.join("\n", output.lines().toList()))
        .contains("Stopped; nothing is left running")
        .doesNotContain("ended with code");
    assertThat(home.stackFile()).doesNotExist();
  }

  @Test
  void startsNothingWhileAPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ports.set(ports.indexOf("--broker-port") + 1, Integer.toString(taken.getLocalPort()));
      Outcome outcome = up();
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.output()).contains("--broker-port N");
      assertThat(home.postgres().resolve("data")).doesNotExist();
    }
  }

  @Test
  void refusesTheCarriersDoubleWhereNoImageTrustsIt() throws Exception {
    Outcome outcome = run("up", "--stack", "docker", "--carrier", "easypost-double");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output()).contains("for the stacks embedded and external");
    outcome = run("up", "--carrier", "a-pigeon");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output()).contains("--carrier is 'a-pigeon'; it may be simulated or");
    assertThat(home.stackFile()).doesNotExist();
  }

  @Test
  void startsTheServicesOfAnotherFile() throws Exception {
    Path file = folder.resolve("trips/services.yaml");
    writeJar(folder.resolve("trips/airline/target/quarkus-app/quarkus-run.jar"));
    Files.writeString(
        file,
        """
        services:
          - name: airline
            port: %d
            management-port: %d
            database: flights
        """
            .formatted(FreePorts.next(), FreePorts.next()));
    int postgres = FreePorts.next();
    String[] up = {
      "up",
      "--detach",
      "--services",
      file.toString(),
      "--postgres-port",
      Integer.toString(postgres),
      "--broker-port",
      Integer.toString(FreePorts.next()),
      "--airline-port",
      Integer.toString(FreePorts.next())
    };

    Outcome outcome = run(up);

    assertThat(outcome).as(outcome.output()).matches(Outcome::succeeded, "exit code 0");
    assertThat(outcome.output()).contains("airline").doesNotContain("order-service", "demo");
    assertThat(state().services()).containsExactly("airline");
    assertThat(state().url("airline")).isEqualTo("http://localhost:" + up[up.length - 1]);
    DriverManager.getConnection(
            "jdbc:postgresql://localhost:%d/flights".formatted(postgres), "flights", "onceflow")
        .close();
    Outcome demo = run("demo");
    assertThat(demo.exitCode()).isEqualTo(1);
    assertThat(demo.output()).contains("order-service is not up");
  }

  @Test
  void tellsThatAFolderHasNoServices() throws Exception {
    Files.delete(home.services());

    Outcome outcome = run("up");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output()).contains("There is no services.yaml");
  }

  private record Outcome(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  private Outcome up() throws Exception {
    return run(upCommand());
  }

  private String[] upCommand() {
    List<String> command = new ArrayList<>(List.of("up", "--detach"));
    command.addAll(ports);
    return command.toArray(String[]::new);
  }

  private Outcome run(String... arguments) throws Exception {
    return run(Map.of(), arguments);
  }

  private Outcome run(Map<String, String> environment, String... arguments) throws Exception {
    Process process = start(environment, arguments);
    String output = new String(process.getInputStream().readAllBytes());
    return new Outcome(process.waitFor(), output);
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Donceflow.home=" + home.root(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private StackState state() throws IOException {
    return StackState.read(home.stackFile()).orElseThrow();
  }

  /** A jar that only points to the classes of this test. */
  private static void writeJar(Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, FakeService.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        FakeService.class.getProtectionDomain().getCodeSource().getLocation().toString());
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
  }
}
