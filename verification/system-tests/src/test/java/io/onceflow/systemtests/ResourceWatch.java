package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Compares what the services hold after each stretch of inputs with what they held after the
 * warm-up, so that what is never freed, and what costs far more than it should, has a name: the
 * stretch that it came with.
 */
final class ResourceWatch implements AutoCloseable {

  /** What is under way when a stretch ends has ended by then, and idle threads are gone. */
  private static final Duration SETTLED_WITHIN = Duration.ofSeconds(30);

  private final ResourceBounds bounds;
  private final List<ServiceInspector> inspectors;
  private final Map<ServiceInspector, Resources> warm = new HashMap<>();
  private final Map<ServiceInspector, Resources> last = new HashMap<>();
  private final Map<ServiceInspector, Duration> cpu = new HashMap<>();
  private final Map<ServiceInspector, Long> costliestMs = new HashMap<>();

  private ResourceWatch(ResourceBounds bounds, List<ServiceInspector> inspectors) {
    this.bounds = bounds;
    this.inspectors = inspectors;
    inspectors.forEach(it -> warm.put(it, it.look()));
    begin();
  }

  /** Begins when the services are warm. */
  static ResourceWatch of(List<ServiceProcess> services, ResourceBounds bounds) {
    return new ResourceWatch(bounds, services.stream().map(ServiceInspector::attach).toList());
  }

  /**
   * Sends one stretch after the other, up to the first after which there is something to complain
   * of: it would be there after all others, too.
   */
  List<String> complaints(List<FuzzSettings> stretches, Consumer<FuzzSettings> sending) {
    List<String> complaints = List.of();
    for (int i = 0; i < stretches.size() && complaints.isEmpty(); i++) {
      sending.accept(stretches.get(i));
      complaints = after(stretches.get(i));
    }
    return complaints;
  }

  private List<String> after(FuzzSettings stretch) {
    List<String> complaints = new ArrayList<>();
    for (ServiceInspector inspector : inspectors) {
      complaints(inspector, stretch)
          .forEach(it -> complaints.add(inspector.service() + ", after " + stretch + ": " + it));
    }
    begin();
    return complaints;
  }

  private List<String> complaints(ServiceInspector inspector, FuzzSettings stretch) {
    ServiceProcess service = inspector.service();
    if (!service.isAlive()) {
      return List.of("it has ended");
    }
    Duration spent = service.cpu().minus(cpu.get(inspector));
    costliestMs.merge(inspector, spent.toMillis(), Math::max);
    List<String> complaints = new ArrayList<>(bounds.spent(spent, stretch.inputs()));
    complaints.addAll(grown(inspector));
    return complaints;
  }

  private void begin() {
    inspectors.forEach(it -> cpu.put(it, it.service().cpu()));
  }

  /** Only what is still there after a while is held for good. */
  private List<String> grown(ServiceInspector inspector) {
    try {
      await()
          .atMost(SETTLED_WITHIN)
          .pollInterval(Duration.ofMillis(500))
          .pollDelay(Duration.ZERO)
          .until(() -> look(inspector).isEmpty());
      return List.of();
    } catch (ConditionTimeoutException e) {
      return look(inspector);
    }
  }

  private List<String> look(ServiceInspector inspector) {
    Resources now = inspector.look();
    last.put(inspector, now);
    return bounds.grown(warm.get(inspector), now);
  }

  @Override
  public String toString() {
    return inspectors.stream()
        .map(
            it ->
                "%s: at most %d ms for a stretch; %s, then %s"
                    .formatted(it.service(), costliestMs.get(it), warm.get(it), last.get(it)))
        .collect(Collectors.joining("%n".formatted()));
  }

  @Override
  public void close() {
    inspectors.forEach(ServiceInspector::close);
  }
}
