package io.onceflow.benchmarks.saga.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** An overload over time: what was accepted and shed, how long it took, what waited. */
public final class OverloadPlot {

  private static final int LABEL_EVERY = 5;

  private OverloadPlot() {}

  /**
   * A second of it; NaN for what was not measured.
   *
   * @param accepted a second
   * @param shed a second
   * @param p50Ms of what was accepted
   * @param p99Ms of what was accepted
   * @param outbox messages that waited
   * @param sagas under way
   */
  public record Moment(
      double accepted, double shed, double p50Ms, double p99Ms, double outbox, double sagas) {}

  /**
   * Draws it as SVG.
   *
   * @param capacity what it can take, a second
   */
  public static String of(List<Moment> moments, double capacity) {
    Panel rates = panel(60, "Orders per second", moments);
    rates.line("accepted", "#2f81f7", values(moments, Moment::accepted));
    rates.line("shed", "#e5534b", values(moments, Moment::shed));
    rates.level("it can take", capacity);
    Panel times = panel(500, "Milliseconds of the accepted", moments);
    times.line("p50", "#3fb950", values(moments, Moment::p50Ms));
    times.line("p99", "#1a9e8f", values(moments, Moment::p99Ms));
    Panel waiting = panel(940, "Waiting", moments);
    waiting.line("outbox", "#d29922", values(moments, Moment::outbox));
    waiting.line("sagas", "#8957e5", values(moments, Moment::sagas));
    return Plot.drawn(1320, "An overload over time", List.of(rates, times, waiting));
  }

  private static Panel panel(int left, String title, List<Moment> moments) {
    Panel panel = new Panel(left, title, "seconds");
    for (int second = 0; second < moments.size(); second++) {
      panel.at(second % LABEL_EVERY == 0 ? Integer.toString(second) : "", Double.NaN);
    }
    return panel;
  }

  private static List<Double> values(List<Moment> moments, ToDoubleFunction<Moment> value) {
    return moments.stream().map(value::applyAsDouble).toList();
  }
}
