package io.onceflow.launcher.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The whole stack in containers, as {@code docker-compose.yml} describes it. */
public final class DockerStack {

  /** Where the order service keeps idempotency keys. */
  private static final String STORE = "ONCEFLOW_IDEMPOTENCY_STORE";

  /** In its container, and on the network of the containers. */
  private static final String STRIPE_DOUBLE_PORT = "8420";

  /** What the payment service has to know to charge at the double. */
  private static final Map<String, String> AT_STRIPES_DOUBLE =
      Map.of(
          "ONCEFLOW_GATEWAY",
          "stripe",
          "ONCEFLOW_STRIPE_URL",
          "http://stripe-double:" + STRIPE_DOUBLE_PORT,
          "ONCEFLOW_STRIPE_API_KEY",
          "sk_test_double",
          "ONCEFLOW_STRIPE_WEBHOOK_SECRETS",
          "whsec_for_trying_out");

  /** Compose's own label of a container: the folder from which it was started. */
  private static final String FOLDER =
      "{{index .Config.Labels \"com.docker.compose.project.working_dir\"}}";

  /** By which Compose tells the containers of one project from those of another. */
  private static final String PROJECT = "COMPOSE_PROJECT_NAME";

  private final Home home;
  private final String docker;

  /** The stack of the project's {@code docker-compose.yml}. */
  public DockerStack(Home home) {
    this(home, "docker");
  }

  /**
   * @param docker the command line of Docker
   */
  DockerStack(Home home, String docker) {
    this.home = home;
    this.docker = docker;
  }

  /**
   * Builds what changed, starts what does not run and returns when all of it is healthy.
   *
   * @param fresh whether to start over with empty databases
   * @param moved the ports that shall not be the usual ones or those of {@code .env}
   * @param redis whether there shall be one in front of PostgreSQL for idempotency keys
   * @param stripeDouble whether the payment service shall charge at a double of Stripe
   */
  public void up(boolean fresh, List<StackPorts.Named> moved, boolean redis, boolean stripeDouble)
      throws IOException, InterruptedException {
    nameOwnProject();
    if (fresh) {
      run(Map.of(), "--profile", "*", "down", "--volumes", "--remove-orphans");
    }
    // Noted before it is true: what is only half up has to be found by down, too.
    new StackState(StackKind.docker, false, null, List.of(), List.of(), Map.of())
        .write(home.stackFile());
    Map<String, String> environment = new HashMap<>();
    moved.forEach(it -> environment.put(variable(it), Integer.toString(it.port())));
    List<String> arguments = new ArrayList<>();
    if (redis) {
      environment.put(STORE, System.getenv().getOrDefault(STORE, "hybrid"));
      arguments.addAll(List.of("--profile", "redis"));
    }
    if (stripeDouble) {
      environment.putAll(AT_STRIPES_DOUBLE);
      arguments.addAll(List.of("--profile", LocalStack.STRIPE_DOUBLE));
    }
    arguments.addAll(List.of("up", "--build", "--wait"));
    run(environment, arguments.toArray(String[]::new));
    note();
  }

  /** As docker-compose.yml names it: {@code --order-port} is {@code ONCEFLOW_ORDER_PORT}. */
  private static String variable(StackPorts.Named port) {
    String name = port.option().substring("--".length()).replace("broker", "rabbitmq");
    return "ONCEFLOW_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * Records a stack that was started with Docker Compose directly.
   *
   * @return whether there is one
   */
  boolean adopt() throws IOException, InterruptedException {
    if (!Files.exists(home.root().resolve("docker-compose.yml")) || !isUp()) {
      return false;
    }
    note();
    return true;
  }

  private void note() throws IOException, InterruptedException {
    Map<String, String> urls = new LinkedHashMap<>();
    for (Service service : services()) {
      urls.put(service.name(), url(service.name(), Integer.toString(service.port())));
    }
    List<String> services = List.copyOf(urls.keySet());
    if (isUp(LocalStack.STRIPE_DOUBLE)) {
      urls.put(LocalStack.STRIPE_DOUBLE, url(LocalStack.STRIPE_DOUBLE, STRIPE_DOUBLE_PORT));
    }
    new StackState(StackKind.docker, true, null, List.of(), services, urls).write(home.stackFile());
  }

  /** Stops and removes the containers; the databases' volumes stay. */
  public void down() throws IOException, InterruptedException {
    requireOwnProject();
    // With all profiles, since it may have been started with any.
    run(Map.of(), "--profile", "*", "down", "--remove-orphans");
    Files.deleteIfExists(home.stackFile());
  }

  /** Stops a service and starts it again; returns when it is healthy. */
  void restart(String service) throws IOException, InterruptedException {
    requireOwnProject();
    run(Map.of(), "up", "--detach", "--wait", "--no-deps", "--force-recreate", service);
  }

  /** Whether its services run, judged by the first of them; false if there is no Docker. */
  boolean isUp() throws InterruptedException {
    try {
      return isUp(services().getFirst().name());
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isUp(String container) throws InterruptedException {
    try {
      // With all profiles, since Compose knows no container of a profile that it is not told of.
      List<String> ask =
          List.of("--profile", "*", "ps", "--quiet", "--status", "running", container);
      List<Path> folders = foldersOf(ask);
      return !folders.isEmpty() && folders.stream().allMatch(this::isThisCheckout);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * A checkout whose project name is taken gets one that follows from its path. It is kept where
   * Compose reads it, so that {@code docker compose} in this folder finds the same containers.
   */
  private void nameOwnProject() throws IOException, InterruptedException {
    Optional<Path> other = otherCheckout();
    if (other.isEmpty()) {
      return;
    }
    Path settings = home.root().resolve(".env");
    String named = Files.exists(settings) ? Files.readString(settings) : "";
    if (System.getenv(PROJECT) != null || named.contains(PROJECT + "=")) {
      throw takenBy(other.get());
    }
    String path = home.root().toRealPath().toString();
    String id = UUID.nameUUIDFromBytes(path.getBytes(StandardCharsets.UTF_8)).toString();
    String line = "%s=onceflow-%s%n".formatted(PROJECT, id.substring(0, 8));
    boolean isWhole = named.isEmpty() || named.endsWith("\n");
    Files.writeString(
        settings,
        isWhole ? line : System.lineSeparator() + line,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    requireOwnProject();
  }

  /** Compose would replace or remove the containers of another checkout. */
  private void requireOwnProject() throws IOException, InterruptedException {
    Optional<Path> other = otherCheckout();
    if (other.isPresent()) {
      throw takenBy(other.get());
    }
  }

  private static LaunchException takenBy(Path other) {
    return new LaunchException(
        "containers of this Compose project belong to another checkout, %s, and are left alone: stop them there with ./onceflow down, or set another %s here"
            .formatted(other, PROJECT));
  }

  /** One that has containers of this Compose project. */
  private Optional<Path> otherCheckout() throws IOException, InterruptedException {
    return foldersOf(List.of("--profile", "*", "ps", "--all", "--quiet")).stream()
        .filter(folder -> !isThisCheckout(folder))
        .findFirst();
  }

  /** From where Compose started the containers that it lists; empty where there is no engine. */
  private List<Path> foldersOf(List<String> list) throws IOException, InterruptedException {
    List<String> containers = linesOf(compose(list));
    if (containers.isEmpty()) {
      return List.of();
    }
    List<String> inspect = new ArrayList<>(List.of(docker, "inspect", "--format", FOLDER));
    inspect.addAll(containers);
    return linesOf(new ProcessBuilder(inspect)).stream().map(Path::of).toList();
  }

  /** What it prints, or nothing if it fails. */
  private static List<String> linesOf(ProcessBuilder command)
      throws IOException, InterruptedException {
    Process process = command.redirectError(Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? output.lines().filter(it -> !it.isBlank()).toList() : List.of();
  }

  private boolean isThisCheckout(Path folder) {
    try {
      return Files.isSameFile(folder, home.root());
    } catch (IOException e) {
      // The other checkout was deleted.
      return false;
    }
  }

  /** Makes a token with the keys of the containers' volume; the arguments are {@code token}'s. */
  public String token(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("run", "--rm", "-T", "token"));
    command.addAll(arguments);
    String output = read(command);
    return output.lines().reduce((first, last) -> last).orElse("").strip();
  }

  /** Inside their containers services listen on the ports of the file. */
  private List<Service> services() throws IOException {
    return ServicesFile.read(home.services());
  }

  /** Compose says where it published the port, which .env may have moved. */
  private String url(String container, String port) throws IOException, InterruptedException {
    String address = read(List.of("--profile", "*", "port", container, port)).strip();
    return "http://localhost:" + address.substring(address.lastIndexOf(':') + 1);
  }

  private void run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = compose(List.of(arguments)).inheritIO();
    builder.environment().putAll(environment);
    require(builder.start().waitFor(), List.of(arguments), "what it said is above");
  }

  /** Its standard output; its standard error is reported only if it fails. */
  private String read(List<String> arguments) throws IOException, InterruptedException {
    Path log = home.log("compose");
    Files.createDirectories(log.getParent());
    Process process = compose(arguments).redirectError(log.toFile()).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    require(process.waitFor(), arguments, "it said:\n" + LogTail.of(log));
    return output;
  }

  private ProcessBuilder compose(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(docker, "compose"));
    command.addAll(arguments);
    return new ProcessBuilder(command).directory(home.root().toFile());
  }

  private static void require(int exitCode, List<String> arguments, String why) {
    if (exitCode != 0) {
      throw new LaunchException(
          "docker compose %s ended with code %s; %s"
              .formatted(String.join(" ", arguments), exitCode, why));
    }
  }
}
