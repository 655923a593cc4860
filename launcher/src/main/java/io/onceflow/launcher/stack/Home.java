package io.onceflow.launcher.stack;

import java.nio.file.Path;

/**
 * The project's folder and what the launcher keeps in it, all of it below {@code .onceflow}.
 *
 * @param root the folder with the root {@code pom.xml}
 */
public record Home(Path root) {

  /** The folder of the system property {@code onceflow.home}, else the working directory. */
  public static Home ofThisProcess() {
    String root = System.getProperty("onceflow.home", System.getProperty("user.dir"));
    return new Home(Path.of(root).toAbsolutePath().normalize());
  }

  /** Where everything that is not source or build output goes. */
  public Path state() {
    return root.resolve(".onceflow");
  }

  /** The key pair that signs and verifies tokens. */
  public Path keys() {
    return state().resolve("keys");
  }

  /** A secret of this installation, by its name; made when it is first read. */
  public Path secret(String name) {
    return state().resolve("secrets").resolve(name);
  }

  /** PostgreSQL's data and binaries. */
  public Path postgres() {
    return state().resolve("postgres");
  }

  /** Redis's binary and log. */
  public Path redis() {
    return state().resolve("redis");
  }

  /** Kafka's data. */
  public Path kafka() {
    return state().resolve("kafka");
  }

  /** Where the broker that the launcher brings is built. */
  public Path kafkaTarget() {
    return root.resolve("launcher/kafka/target");
  }

  /** Where Stripe's double is built. */
  public Path stripeDoubleTarget() {
    return root.resolve("integrations/stripe-double/target");
  }

  /** Where EasyPost's double is built. */
  public Path easyPostDoubleTarget() {
    return root.resolve("integrations/easypost-double/target");
  }

  /** The certificate of EasyPost's double, made again at each start. */
  public Path easyPostDouble() {
    return state().resolve("easypost-double");
  }

  /** What runs now; absent when nothing does. */
  public Path stackFile() {
    return state().resolve("stack.json");
  }

  /** Locked by the launcher that starts or runs a stack. */
  public Path lockFile() {
    return state().resolve("launcher.lock");
  }

  /** Asks the launcher that runs the stack to restart a service; gone when that has been done. */
  public Path restartRequest(String service) {
    return state().resolve("restart-" + service);
  }

  /** The log of a process, by the process's name. */
  public Path log(String name) {
    return state().resolve("logs").resolve(name + ".log");
  }

  /** The services of this project. */
  public Path services() {
    return root.resolve("services.yaml");
  }

  /** A path as a person in the project's folder would write it. */
  public String shorten(Path path) {
    return path.startsWith(root) ? root.relativize(path).toString() : path.toString();
  }
}
