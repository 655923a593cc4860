package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.plan.Fault;
import io.onceflow.systemtests.chaos.plan.Kind;
import io.onceflow.systemtests.chaos.plan.Plan;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.stack.WrongClock;
import io.onceflow.systemtests.chaos.world.Law;
import io.onceflow.systemtests.chaos.world.Limits;
import io.onceflow.systemtests.chaos.world.Violation;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** One run: chaos, then calm, then the look at what has come of it. */
public final class ChaosRun implements AutoCloseable {

  /** What is said again once all is mended, in any order, so that everything is repeated late. */
  private static final int SAID_AGAIN = 5_000;

  private static final int STORIES = 5;

  /** Of what a POST may take while one thing is wrong: what it may take while nothing is. */
  private static final int WARM_UP_SHARE = 4;

  /** Six at once, on two cores that others use, too. */
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);

  private final Settings settings;
  private final PrintStream out;
  private final Cluster cluster;
  private final Timeline timeline;
  private final Recoveries recoveries = new Recoveries();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Api api;
  private final Tables tables;

  /** Starts all that is needed, but for the services. */
  public ChaosRun(Settings settings, PrintStream out) throws IOException, InterruptedException {
    this.settings = settings;
    this.out = out;
    this.timeline = new Timeline(out);
    Files.createDirectories(settings.folder());
    this.cluster =
        new Cluster(settings.stack(), settings.gateway(), settings.carrier(), settings.folder());
    this.tables = new Tables(cluster.backends());
    this.api = new Api(cluster.replicas().subList(0, 2), this::token);
  }

  /**
   * Runs it and writes its report.
   *
   * @return what was broken; empty if all went well
   */
  public List<Violation> run() throws IOException, InterruptedException {
    List<Fault> plan = Plan.of(settings.seed(), settings.length(), possibleKinds(), Cluster.LEASE);
    out.printf(
        "Chaos of %d s with seed %d on %s: %d faults of %d kinds%n",
        settings.length().toSeconds(),
        settings.seed(),
        cluster.backends().description(),
        plan.size(),
        possibleKinds().size());
    Duration start = startServices();
    plantWitness();
    try (Wiretap wiretap = new Wiretap(cluster.backends(), settings.seed())) {
      ProcessFaults processes = new ProcessFaults(cluster, recoveries);
      MessageFaults messages = new MessageFaults(cluster, wiretap, processes);
      Nemesis nemesis =
          new Nemesis(
              cluster,
              timeline,
              recoveries,
              messages,
              processes,
              new CallerFaults(api, tables, this::token),
              new ReaderFaults(api, tables, this::token),
              new PoisonFaults(tables, api),
              settings.otherVersion());
      return run(plan, start, wiretap, messages, nemesis);
    }
  }

  private List<Violation> run(
      List<Fault> plan, Duration start, Wiretap wiretap, MessageFaults messages, Nemesis nemesis)
      throws IOException, InterruptedException {
    timeline.begin();
    Bystanders bystanders = new Bystanders(api, tables, settings.seed());
    Limits limits = oneAtATime(start, nemesis, bystanders);
    out.println(limits);
    Fleet fleet = new Fleet(api);
    fleet.start(settings.customers(), settings.seed());
    nemesis.run(plan);
    fleet.stopOrdering();
    nemesis.heal();
    Instant mended = Instant.now();
    out.println("All is mended");
    fleet.join();
    List<World.Recovery> recovered = recoveries.await();
    nemesis.healPoisoned();
    List<Dealing> dealings = new ArrayList<>(bystanders.dealings());
    dealings.addAll(fleet.dealings());
    boolean isQuiet = comeToRest(wiretap, messages);
    World world =
        new Census(cluster, api).take(dealings, messages, wiretap, recovered, bystanders, limits);
    world = new BookComparison(cluster, api, tables, settings.seed()).compare(world);
    List<Violation> violations = Law.checkAll(world);
    Others others =
        new Others(bystanders.usual(), bystanders.served(), bystanders.interrupted(), limits);
    Report report =
        Report.of(title(), figures(plan, mended, isQuiet), world, others, timeline, violations);
    report.write(settings.folder(), SpeedPlot.of(tables, timeline));
    api.history().write(settings.folder().resolve("history.edn"));
    out.println(report.text());
    tellStories(violations, new Story(cluster, dealings, wiretap));
    return violations;
  }

  /**
   * The first part: what nothing takes, and then each fault by itself, and how other callers are
   * served meanwhile.
   */
  private Limits oneAtATime(Duration start, Nemesis nemesis, Bystanders bystanders)
      throws InterruptedException {
    Duration post = Duration.ZERO;
    Duration confirmed = Duration.ZERO;
    try {
      List<Fault> plan = aloneAtFirst();
      if (!plan.isEmpty()) {
        World.Served usual = bystanders.warmUp(settings.postAtLeast().dividedBy(WARM_UP_SHARE));
        post = Objects.requireNonNullElse(usual.post().p99(), post);
        confirmed = Objects.requireNonNullElse(usual.confirmed().p99(), confirmed);
        nemesis.runOneAtATime(plan, bystanders);
      }
    } finally {
      bystanders.stop();
    }
    return Limits.of(start, post, confirmed, settings.readyAtLeast(), settings.postAtLeast());
  }

  private List<Fault> aloneAtFirst() {
    return settings.aloneFor().isZero()
        ? List.of()
        : Plan.oneAtATime(
            settings.seed(), possibleKinds(), settings.aloneFor(), settings.aloneMost());
  }

  private String token(String customer) {
    return tokens.computeIfAbsent(customer, cluster.issuer()::customer);
  }

  /** Waits for quiet, says much of it again, and waits once more; false if it did not get quiet. */
  private boolean comeToRest(Wiretap wiretap, MessageFaults messages) throws IOException {
    Quiet quiet = new Quiet(tables, wiretap);
    quiet.await(settings.quietWithin());
    Instant from = Instant.now();
    timeline.add(from, "REPLAY", messages.replay(SAID_AGAIN, settings.seed()) + " at last");
    return quiet.await(settings.quietWithin());
  }

  private Map<String, Object> figures(List<Fault> plan, Instant mended, boolean isQuiet) {
    Instant begin = timeline.beginning();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seed", settings.seed());
    figures.put("stack", cluster.backends().description());
    figures.put("charged at", cluster.gateway().description());
    figures.put("booked at", cluster.carrier().description());
    figures.put("faults", plan.size());
    figures.put("chaos", Duration.between(begin, mended).toSeconds() + " s");
    figures.put(
        "until all was quiet", Duration.between(mended, Instant.now()).toSeconds() + " s more");
    figures.put("quiet in the end", isQuiet);
    return figures;
  }

  private String title() {
    return "Chaos of %d s with seed %d".formatted(settings.length().toSeconds(), settings.seed());
  }

  private Set<Kind> possibleKinds() {
    Set<Kind> kinds = EnumSet.copyOf(settings.kinds());
    if (!WrongClock.isPossible()) {
      kinds.remove(Kind.CLOCK);
    }
    if (!cluster.backends().canAlarm()) {
      kinds.remove(Kind.ALARM);
    }
    if (!cluster.backends().hasGroups()) {
      kinds.remove(Kind.REBALANCE);
    }
    if (settings.otherVersion() == null) {
      kinds.remove(Kind.VERSION);
    }
    return kinds;
  }

  /**
   * The first process of each service makes its tables, and leaves behind what lets all later ones
   * start with half the work: on few cores, starts would else hold up one another and all the rest.
   * Where two versions take turns, the other one makes the tables and this one migrates them, as in
   * an upgrade: no earlier version could start on tables that were made by a later one.
   *
   * @return how long the slowest of all took to be ready while nothing was wrong
   */
  private Duration startServices() throws IOException, InterruptedException {
    List<Replica> all = cluster.replicas();
    List<Replica> first = IntStream.range(0, all.size() / 2).mapToObj(i -> all.get(2 * i)).toList();
    Path other = settings.otherVersion();
    if (possibleKinds().contains(Kind.VERSION) && other != null) {
      start(first, replica -> replica.startVersionOf(other));
      stop(first);
    }
    start(first, replica -> replica.start(Map.of()));
    stop(first);
    long begun = System.nanoTime();
    start(all, replica -> replica.start(Map.of()));
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** How a process is started. */
  private interface Start {
    void of(Replica replica) throws IOException;
  }

  private void start(List<Replica> replicas, Start start) throws IOException, InterruptedException {
    for (Replica replica : replicas) {
      start.of(replica);
    }
    for (Replica replica : replicas) {
      awaitReady(replica);
    }
  }

  private static void stop(List<Replica> replicas) throws InterruptedException {
    for (Replica replica : replicas) {
      replica.stop();
    }
  }

  private void plantWitness() throws IOException {
    try {
      new Witness(cluster.backends()).plant();
    } catch (SQLException e) {
      throw new IOException("The witness could not be planted", e);
    }
  }

  private void awaitReady(Replica replica) throws IOException {
    long giveUpAt = System.nanoTime() + STARTS_WITHIN.toNanos();
    while (!replica.isReady()) {
      if (!replica.isAlive() || System.nanoTime() - giveUpAt > 0) {
        throw new IOException("%s did not start; see %s".formatted(replica, cluster.folder()));
      }
      Pauses.of(100);
    }
  }

  private void tellStories(List<Violation> violations, Story story) throws IOException {
    Set<String> orders = new LinkedHashSet<>();
    violations.stream().map(Violation::orderId).filter(it -> !it.isEmpty()).forEach(orders::add);
    for (String order : orders.stream().limit(STORIES).toList()) {
      String text = story.of(order);
      Files.writeString(settings.folder().resolve("story-%s.txt".formatted(order)), text);
      out.println(text);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
