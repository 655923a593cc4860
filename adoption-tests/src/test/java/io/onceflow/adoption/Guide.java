package io.onceflow.adoption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of the docs that is followed step by step: each of its code blocks is a file to be
 * written, a command to be run, or what the command before it prints.
 *
 * <p>A file's block stands under a line that is its path in backquotes. A block of {@code sh} is a
 * command; one that ends in {@code &} goes on running. A block without a language is output; a line
 * that is only {@code …} stands for any lines, and {@code …} within a line for any text.
 *
 * @param steps in the page's order
 */
record Guide(List<Step> steps) {

  private static final String FENCE = "```";

  /** What a reader does next. */
  sealed interface Step {

    /** Writes a file. */
    record WriteFile(String path, String text) implements Step {}

    /** Runs a command of the shell. */
    record Run(String command) implements Step {}

    /** Sees what the last command has printed. */
    record Expect(List<String> lines) implements Step {}
  }

  static Guide read(Path page) throws IOException {
    List<Step> steps = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        int end = lines.subList(i + 1, lines.size()).indexOf(FENCE) + i + 1;
        steps.add(step(line.substring(FENCE.length()), before, lines.subList(i + 1, end)));
        i = end;
      } else if (!line.isBlank()) {
        before = line;
      }
    }
    return new Guide(steps);
  }

  private static Step step(String language, String before, List<String> block) {
    return switch (language) {
      case "sh" -> new Step.Run(String.join("\n", block));
      case "" -> new Step.Expect(block);
      default -> new Step.WriteFile(path(before), String.join("\n", block) + "\n");
    };
  }

  private static String path(String line) {
    if (!line.matches("`[^` ]+`:?")) {
      throw new IllegalArgumentException(
          "a file's block stands under its path in backquotes, not under: " + line);
    }
    return line.substring(1, line.lastIndexOf('`'));
  }

  /** Lines of Java that a reader types outside of tests; blank ones and imports not counted. */
  long linesOfJava() {
    return steps.stream()
        .filter(step -> step instanceof Step.WriteFile)
        .map(step -> (Step.WriteFile) step)
        .filter(file -> file.path().startsWith("src/main/java/"))
        .flatMap(file -> file.text().lines())
        .filter(
            line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
        .count();
  }
}
