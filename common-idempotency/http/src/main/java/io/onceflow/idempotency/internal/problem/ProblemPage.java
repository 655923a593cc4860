package io.onceflow.idempotency.internal.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page about problems, to be read as text or as HTML.
 *
 * @param title its first line
 * @param sections in their order
 */
record ProblemPage(String title, List<Section> sections) {

  /**
   * @param heading empty for none
   * @param text one paragraph
   * @param link path of a page that the paragraph refers to; empty for none
   */
  record Section(String heading, String text, String link) {}

  private static final String STYLE =
      "body{max-width:40em;margin:3em auto;padding:0 1em;font:1rem/1.6 system-ui,sans-serif}"
          + "h2{font-size:1rem;margin-bottom:0}h2+p{margin-top:0}";

  static ProblemPage of(ProblemType type) {
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("What happened", type.meaning(), ""));
    sections.add(new Section("What took effect", type.effect(), ""));
    sections.add(new Section("What to do", type.remedy(), ""));
    sections.add(new Section("", "All problem types: ", ProblemAddress.HOME));
    return new ProblemPage("%s (%s)".formatted(type.title(), type.status()), sections);
  }

  /** The page of a status without a type. */
  static ProblemPage of(String reason, int status) {
    return new ProblemPage("%s (%s)".formatted(reason, status), List.of());
  }

  /** All of the guard's types. */
  static ProblemPage index() {
    return new ProblemPage(
        "Problems of the Idempotency-Key guard",
        Stream.of(ProblemType.values())
            .map(
                type ->
                    new Section("", "%s (%s) ".formatted(type.title(), type.status()), type.path()))
            .toList());
  }

  String text() {
    return sections.stream()
        .map(
            section ->
                (section.heading().isEmpty() ? "" : section.heading() + "\n")
                    + section.text()
                    + section.link()
                    + "\n")
        .collect(Collectors.joining("\n", title + "\n\n", ""));
  }

  String html() {
    String body =
        sections.stream().map(ProblemPage::html).collect(Collectors.joining("\n", "", "\n"));
    return """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>%1$s</title>
        <style>%2$s</style>
        <h1>%1$s</h1>
        %3$s</html>
        """
        .formatted(escaped(title), STYLE, body);
  }

  private static String html(Section section) {
    String heading =
        section.heading().isEmpty() ? "" : "<h2>%s</h2>\n".formatted(escaped(section.heading()));
    String link =
        section.link().isEmpty() ? "" : "<a href=\"%1$s\">%1$s</a>".formatted(section.link());
    return heading + "<p>" + escaped(section.text()) + link + "</p>";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
