package io.onceflow.systemtests;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** What was seen over time, drawn as SVG: rates above, what waits below. */
final class Curve {

  private static final int LEFT = 60;
  private static final int WIDTH = 640;
  private static final int HEIGHT = 160;

  /** What is drawn. */
  enum Of {
    ACCEPTED("accepted/s", "#2f81f7", point -> point.accepted),
    SHED("shed/s", "#e5534b", point -> point.shed),
    SAGAS("sagas under way", "#3fb950", point -> point.sagas),
    OUTBOX("messages in the outbox", "#d29922", point -> point.outbox);

    private final String label;
    private final String colour;
    private final ToDoubleFunction<Point> value;

    Of(String label, String colour, ToDoubleFunction<Point> value) {
      this.label = label;
      this.colour = colour;
      this.value = value;
    }
  }

  private final List<Point> points = new CopyOnWriteArrayList<>();

  private record Point(double second, double accepted, double shed, long sagas, long outbox) {}

  void at(double second, double accepted, double shed, long sagas, long outbox) {
    points.add(new Point(second, accepted, shed, sagas, outbox));
  }

  long highest(Of what) {
    return (long) points.stream().mapToDouble(what.value).max().orElse(0);
  }

  String svg(String words) {
    String title = words.replace("&", "&amp;").replace("<", "&lt;");
    List<String> lines = new ArrayList<>();
    lines.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">"
            .formatted(LEFT + WIDTH + 180, 2 * HEIGHT + 130));
    lines.add("<title>%s</title>".formatted(title));
    lines.add("<text x=\"%d\" y=\"20\">%s</text>".formatted(LEFT, title));
    panel(lines, 40, Of.ACCEPTED, Of.SHED);
    panel(lines, 80 + HEIGHT, Of.SAGAS, Of.OUTBOX);
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private void panel(List<String> lines, int top, Of first, Of second) {
    double highest = Math.max(1, Math.max(highest(first), highest(second)));
    double longest = points.isEmpty() ? 1 : Math.max(1, points.getLast().second);
    int bottom = top + HEIGHT;
    lines.add(
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#8c959f\"/>"
            .formatted(LEFT, top, bottom, LEFT + WIDTH));
    lines.add(text(LEFT - 6, top + 10, "end", "%.0f".formatted(highest)));
    lines.add(text(LEFT - 6, bottom, "end", "0"));
    lines.add(text(LEFT + WIDTH, bottom + 16, "end", "%.0f s".formatted(longest)));
    int label = top + 10;
    for (Of of : List.of(first, second)) {
      StringBuilder path = new StringBuilder();
      for (Point point : points) {
        path.append(
            String.format(
                Locale.ROOT,
                "%s%.1f %.1f",
                path.isEmpty() ? "M" : "L",
                LEFT + WIDTH * point.second / longest,
                bottom - HEIGHT * of.value.applyAsDouble(point) / highest));
      }
      lines.add("<path d=\"%s\" fill=\"none\" stroke=\"%s\"/>".formatted(path, of.colour));
      lines.add(
          "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>"
              .formatted(LEFT + WIDTH + 10, label, of.colour, of.label));
      label += 18;
    }
  }

  private static String text(int x, int y, String anchor, String text) {
    return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>".formatted(x, y, anchor, text);
  }
}
