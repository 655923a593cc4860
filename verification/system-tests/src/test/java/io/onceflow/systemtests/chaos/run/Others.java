package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.world.Limits;
import io.onceflow.systemtests.chaos.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How other callers were served while one thing was wrong, beside how they are when nothing is.
 *
 * @param usual while nothing was wrong; null if that was not measured
 * @param served while one thing was
 * @param interrupted while nothing could be written
 * @param limits what it may take
 */
record Others(
    World.@Nullable Served usual,
    List<World.Served> served,
    List<World.Interrupted> interrupted,
    Limits limits) {

  private static final String NEVER = "never";

  /** A line for each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (usual == null) {
      return lines;
    }
    lines.add("Other callers: 99 of 100, and half, of their POSTs, and until CONFIRMED");
    lines.add(line(usual));
    served.forEach(it -> lines.add(line(it)));
    lines.add(
        row(
            "may take",
            "",
            seconds(limits.post()),
            seconds(limits.confirmed()) + ", where it counts"));
    interrupted.forEach(
        it ->
            lines.add(
                "%-34s answered in %s, placed again in %s"
                    .formatted(it.during(), seconds(it.answered()), seconds(it.resumed()))));
    lines.add("");
    return lines;
  }

  private String line(World.Served served) {
    return row(
        served.during(),
        served.posts() + " orders",
        both(served.post(), usual(World.Served::post)),
        both(served.confirmed(), usual(World.Served::confirmed)));
  }

  private static String row(String during, String orders, String post, String confirmed) {
    return "%-34s %-12s %-34s %s".formatted(during, orders, post, confirmed).stripTrailing();
  }

  private static String both(World.TimeTaken took, World.TimeTaken usual) {
    Double times = times(took.p99(), usual.p99());
    return "%s (%s)%s"
        .formatted(
            seconds(took.p99()),
            seconds(took.p50()),
            times == null ? "" : ", %s times".formatted(times));
  }

  /** For programs. */
  List<Map<String, Object>> figures() {
    List<Map<String, Object>> all = new ArrayList<>();
    if (usual == null) {
      return all;
    }
    all.add(figures(usual));
    served.forEach(it -> all.add(figures(it)));
    interrupted.forEach(it -> all.add(figures(it)));
    return all;
  }

  private Map<String, Object> figures(World.Served served) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("during", served.during());
    figures.put("orders", served.posts());
    put(figures, "post", served.post(), usual(World.Served::post));
    figures.put("postAtMostMs", limits.post().toMillis());
    put(figures, "confirmed", served.confirmed(), usual(World.Served::confirmed));
    if (served.isConfirmed()) {
      figures.put("confirmedAtMostMs", limits.confirmed().toMillis());
    }
    return figures;
  }

  private Map<String, Object> figures(World.Interrupted it) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("during", it.during());
    figures.put("requests", it.requests());
    figures.put("answeredP99Ms", millis(it.answered()));
    figures.put("answeredAtMostMs", limits.post().toMillis());
    figures.put("resumedMs", millis(it.resumed()));
    figures.put("resumedAtMostMs", limits.resumed().toMillis());
    return figures;
  }

  private static void put(
      Map<String, Object> figures, String what, World.TimeTaken took, World.TimeTaken usual) {
    figures.put(what + "P50Ms", millis(took.p50()));
    figures.put(what + "P99Ms", millis(took.p99()));
    figures.put(what + "P99TimesUsual", times(took.p99(), usual.p99()));
  }

  private World.TimeTaken usual(Function<World.Served, World.TimeTaken> what) {
    return usual == null ? World.TimeTaken.NEVER : what.apply(usual);
  }

  private static @Nullable Double times(@Nullable Duration took, @Nullable Duration usual) {
    return took == null || usual == null || usual.isZero()
        ? null
        : Math.round(10.0 * took.toNanos() / usual.toNanos()) / 10.0;
  }

  private static @Nullable Long millis(@Nullable Duration took) {
    return took == null ? null : took.toMillis();
  }

  private static String seconds(@Nullable Duration took) {
    return took == null ? NEVER : took.toMillis() / 1e3 + " s";
  }
}
