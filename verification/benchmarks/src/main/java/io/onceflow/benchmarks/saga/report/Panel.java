package io.onceflow.benchmarks.saga.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One diagram: points side by side at even distances, whose heights start at zero.
 *
 * <p>Values that were not measured (NaN) are left out.
 */
final class Panel {

  private static final int TOP = 60;
  private static final int BOTTOM = 280;
  private static final int WIDTH = 250;
  private static final int STEPS = 5;
  private static final int LABEL_HEIGHT = 13;
  private static final double HEIGHT_OF_ALL = 340;

  private final int left;
  private final String title;
  private final String axis;
  private final List<String> labels = new ArrayList<>();
  private final List<Double> positions = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final List<Line> levels = new ArrayList<>();
  private final List<Name> names = new ArrayList<>();

  private record Line(String name, String colour, List<Double> values) {}

  /** Of a line, to the right of where it ends. */
  private record Name(String text, String colour, double y) {}

  Panel(int left, String title, String axis) {
    this.left = left;
    this.title = title;
    this.axis = axis;
  }

  /** Adds a place on the axis, with a value for {@link #positions}. */
  void at(String label, double value) {
    labels.add(label);
    positions.add(value);
  }

  List<Double> positions() {
    return positions;
  }

  /** Adds a line with a value for each place. */
  void line(String name, String colour, List<Double> values) {
    lines.add(new Line(name, colour, values));
  }

  /** Adds a dashed line across. */
  void level(String name, double value) {
    levels.add(new Line(name, "", List.of(value)));
  }

  void appendTo(StringBuilder svg) {
    double top = niceTop(highest());
    text(svg, "title", left, 24, "start", title);
    for (int step = 0; step <= STEPS; step++) {
      double value = top * step / STEPS;
      svg.append(format("<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", left, y(value, top), WIDTH));
      text(svg, "", left - 8, y(value, top) + 4, "end", number(value));
    }
    for (int place = 0; place < labels.size(); place++) {
      text(svg, "", x(place), BOTTOM + 18, "middle", labels.get(place));
    }
    text(svg, "", left + WIDTH / 2.0, BOTTOM + 38, "middle", axis);
    levels.forEach(level -> level(svg, level, top));
    lines.forEach(line -> line(svg, line, top));
    names(svg);
  }

  private void level(StringBuilder svg, Line level, double top) {
    double y = y(level.values().getFirst(), top);
    svg.append(format("<path class=\"ceiling\" d=\"M%d %.1fh%d\"/>\n", left, y, WIDTH));
    names.add(new Name(level.name(), "", y));
  }

  private void line(StringBuilder svg, Line line, double top) {
    StringBuilder path = new StringBuilder();
    double lastY = Double.NaN;
    for (int place = 0; place < line.values().size(); place++) {
      double value = line.values().get(place);
      if (!Double.isNaN(value)) {
        lastY = y(value, top);
        path.append(format("%s%.1f %.1f", path.isEmpty() ? "M" : "L", x(place), lastY));
        svg.append(
            format(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s %s</title></circle>\n",
                x(place), lastY, line.colour(), line.name(), number(value)));
      }
    }
    if (!path.isEmpty()) {
      svg.append(
          format(
              "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"%s\"/>\n",
              line.colour(), path));
      names.add(new Name(line.name(), line.colour(), lastY));
    }
  }

  /** From the lowest line to the highest, moved up where the name of a lower line is in the way. */
  private void names(StringBuilder svg) {
    names.sort(Comparator.comparingDouble(Name::y).reversed());
    double free = HEIGHT_OF_ALL;
    for (Name name : names) {
      double y = Math.min(name.y(), free);
      free = y - LABEL_HEIGHT;
      String style = name.colour().isEmpty() ? "" : "fill: " + name.colour();
      svg.append(
          format(
              "<text x=\"%d\" y=\"%.1f\" style=\"%s\">%s</text>\n",
              left + WIDTH + 6, y + 4, style, escape(name.text())));
    }
  }

  private double highest() {
    return List.of(lines, levels).stream()
        .flatMap(List::stream)
        .flatMap(line -> line.values().stream())
        .filter(value -> !Double.isNaN(value))
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(1);
  }

  /** A number of one digit and zeros, or 1.5, 2.5 and the like, not below the highest value. */
  static double niceTop(double highest) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(highest, 1e-3))));
    for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 7.5}) {
      if (highest <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private double x(int place) {
    return left + WIDTH * (place + 0.5) / Math.max(1, labels.size());
  }

  private static double y(double value, double top) {
    return BOTTOM - (BOTTOM - TOP) * value / top;
  }

  private static String number(double value) {
    return value >= 10 || value == Math.rint(value)
        ? format("%,.0f", value)
        : format("%.2f", value);
  }

  private static void text(
      StringBuilder svg, String style, double x, double y, String anchor, String text) {
    svg.append(
        format(
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            style, x, y, anchor, escape(text)));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  /** Always with a decimal point, independent of the machine's locale. */
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
