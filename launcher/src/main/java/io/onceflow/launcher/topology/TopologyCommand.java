package io.onceflow.launcher.topology;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what an administrator brings to a broker for applications. */
@Command(
    name = "topology",
    sortOptions = false,
    description = {
      "Prints exchanges, queues, topics, users and their rights for a broker, from what applications"
          + " need of it, which their builds have written into META-INF/onceflow/topology.json.",
      "",
      "Name all applications of a broker at once: who may send what, and which queues the policy is"
          + " for, depends on all of them."
    },
    footerHeading = "%nExit codes%n",
    footer = {
      "0  printed; what is sent and read by none of the applications is on standard error",
      "1  an application has no such file, or one that cannot be used",
      "2  the command line is wrong"
    })
public final class TopologyCommand implements Callable<Integer> {

  /** Of the samples, as their tests compare them with their builds. */
  private static final String SAMPLES = "deploy/topology";

  private final Home home = Home.ofThisProcess();

  @Spec private CommandSpec command = CommandSpec.create();

  @Parameters(
      paramLabel = "APPLICATION",
      description =
          "A package: the folder quarkus-app, the module it is built in, a jar, or the file"
              + " itself. The samples by default.")
  private List<Path> places = List.of();

  @Option(
      names = "--format",
      required = true,
      description = {
        "rabbitmq: definitions that RabbitMQ imports;",
        "rabbitmq-operator: resources of its topology operator;",
        "kafka: topics and users for Strimzi."
      })
  private @Nullable Format format;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "The cluster that resources are for; rabbitmq or onceflow by default.")
  private @Nullable String cluster;

  @Option(
      names = "--scaler",
      paramLabel = "USER",
      description = "With kafka: also a user that may see how far the applications have read.")
  private @Nullable String scaler;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Of a topic; 12 by default, the most replicas that can share it.")
  private int partitions = TopicSize.DEFAULT.partitions();

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Brokers that hold each partition; 3 by default.")
  private int replicas = TopicSize.DEFAULT.replicas();

  @Option(
      names = "--largest-message",
      paramLabel = "BYTES",
      description = "As onceflow.kafka.max-message-size; 1 MiB by default.")
  private int largestMessage = TopicSize.DEFAULT.largestMessage();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /** What is printed. */
  enum Format {
    RABBITMQ("rabbitmq"),
    RABBITMQ_OPERATOR("rabbitmq-operator"),
    KAFKA("kafka");

    private final String name;

    Format(String name) {
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @Override
  public Integer call() throws IOException {
    if (scaler != null && format != Format.KAFKA) {
      throw new ParameterException(command.commandLine(), "--scaler is for --format kafka");
    }
    List<ServiceTopology> applications =
        ApplicationFile.read(places.isEmpty() ? samples() : places);
    PrintWriter out = command.commandLine().getOut();
    out.print(render(applications));
    out.flush();
    PrintWriter err = command.commandLine().getErr();
    Unread.of(applications).forEach(err::println);
    err.flush();
    return 0;
  }

  private String render(List<ServiceTopology> applications) {
    return switch (format) {
      case RABBITMQ -> RabbitDefinitions.render(applications);
      case RABBITMQ_OPERATOR -> new RabbitResources(applications, cluster("rabbitmq")).all();
      case KAFKA -> {
        TopicSize size = new TopicSize(partitions, replicas, largestMessage);
        yield new KafkaResources(applications, size, cluster("onceflow")).all(scaler);
      }
      case null -> throw new IllegalStateException("picocli requires a format");
    };
  }

  private String cluster(String byDefault) {
    return cluster == null ? byDefault : cluster;
  }

  private List<Path> samples() throws IOException {
    Path folder = home.root().resolve(SAMPLES);
    if (!Files.isDirectory(folder)) {
      throw new LaunchException("Name the applications; the samples are not in " + folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
