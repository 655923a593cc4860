package io.onceflow.systemtests.chaos.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sagas begun and ended per second, over the faults, as SVG. */
final class SpeedPlot {

  private static final int WIDTH = 1200;
  private static final int HEIGHT = 300;
  private static final int MARGIN = 40;

  private final Instant begin;
  private final int seconds;

  /**
   * @param seconds how long it shows
   */
  private SpeedPlot(Instant begin, int seconds) {
    this.begin = begin;
    this.seconds = Math.max(1, seconds);
  }

  /** Draws the run until now. */
  static String of(Tables tables, Timeline timeline) {
    List<Instant> begun = moments(tables, "started_at");
    List<Instant> ended = moments(tables, "ended_at");
    Instant begin = timeline.beginning();
    return new SpeedPlot(begin, (int) Duration.between(begin, Instant.now()).toSeconds())
        .draw(begun, ended, timeline.entries());
  }

  private static List<Instant> moments(Tables tables, String column) {
    return tables.rows(
        "orders",
        "SELECT %1$s FROM saga_instance WHERE %1$s IS NOT NULL".formatted(column),
        row -> row.getTimestamp(1).toInstant());
  }

  private String draw(List<Instant> begun, List<Instant> ended, List<Timeline.Entry> faults) {
    int[] begins = perSecond(begun);
    int[] ends = perSecond(ended);
    int most = IntStream.concat(IntStream.of(begins), IntStream.of(ends)).max().orElse(1);
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
    <rect width="100%%" height="100%%" fill="white"/>
    %s
    <polyline fill="none" stroke="#888" points="%s"/>
    <polyline fill="none" stroke="#06c" stroke-width="1.5" points="%s"/>
    <text x="%d" y="14">sagas per second: begun (grey), ended (blue); most %d. Faults are shaded.</text>
    <text x="%d" y="%d">0 s</text><text x="%d" y="%d" text-anchor="end">%d s</text>
    </svg>
    """
        .formatted(
            WIDTH,
            HEIGHT,
            faults.stream().map(this::shade).collect(Collectors.joining("\n")),
            points(begins, most),
            points(ends, most),
            MARGIN,
            most,
            MARGIN,
            HEIGHT - 5,
            WIDTH - MARGIN,
            HEIGHT - 5,
            seconds);
  }

  private int[] perSecond(List<Instant> moments) {
    int[] counts = new int[seconds + 1];
    for (Instant moment : moments) {
      long second = Duration.between(begin, moment).toSeconds();
      if (second >= 0 && second <= seconds) {
        counts[(int) second]++;
      }
    }
    return counts;
  }

  private String points(int[] counts, int most) {
    return IntStream.range(0, counts.length)
        .mapToObj(i -> "%s,%s".formatted(number(x(i)), number(y(counts[i], most))))
        .collect(Collectors.joining(" "));
  }

  private String shade(Timeline.Entry fault) {
    double from = x(Duration.between(begin, fault.from()).toMillis() / 1000.0);
    double until = x(Duration.between(begin, fault.until()).toMillis() / 1000.0);
    return """
    <rect x="%s" y="%d" width="%s" height="%d" fill="#c00" opacity="0.12"><title>%s %s</title></rect>\
    """
        .formatted(
            number(from),
            MARGIN / 2,
            number(Math.max(1, until - from)),
            HEIGHT - MARGIN,
            fault.what(),
            fault.detail().replace("&", "&amp;").replace("<", "&lt;"));
  }

  private double x(double second) {
    return MARGIN + second / seconds * (WIDTH - 2 * MARGIN);
  }

  private static double y(int count, int most) {
    double height = HEIGHT - 1.0 * MARGIN;
    return MARGIN / 2.0 + height - height * count / Math.max(1, most);
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
