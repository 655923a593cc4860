package io.onceflow.adoption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of the docs that is followed step by step: each of its code blocks is a file to be
 * written, a command to be run, or what the command before it prints.
 *
 * <p>A file's block stands under a line that is its path in backquotes; a block of {@code diff}
 * changes the file that is there. A block of {@code sh} is a command; one that ends in {@code &}
 * goes on running. A block without a language is output; a line that is only {@code …} stands for
 * any lines, and {@code …} within a line for any text.
 *
 * @param steps in the page's order
 */
record Guide(List<Step> steps) {

  private static final String FENCE = "```";

  /** What a reader does next. */
  sealed interface Step {

    /** Writes a file. */
    record WriteFile(String path, String text) implements Step {}

    /**
     * Changes a file.
     *
     * @param lines each after a {@code +}, a {@code -} or a space, as in a patch
     */
    record ChangeFile(String path, List<String> lines) implements Step {

      String in(String text) {
        String before = without("+");
        if (text.indexOf(before) < 0 || text.indexOf(before) != text.lastIndexOf(before)) {
          throw new IllegalArgumentException("%s has not once:%n%s".formatted(path, before));
        }
        return text.replace(before, without("-"));
      }

      private String without(String sign) {
        return lines.stream()
            .filter(line -> !line.startsWith(sign))
            .map(line -> line.isEmpty() ? "\n" : line.substring(1) + "\n")
            .collect(Collectors.joining());
      }

      Stream<String> added() {
        return lines.stream().filter(line -> line.startsWith("+")).map(line -> line.substring(1));
      }
    }

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
      case "diff" -> new Step.ChangeFile(path(before), block);
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

  /** The page's files without its commands. */
  Guide onlyFiles() {
    return new Guide(
        steps.stream()
            .filter(step -> !(step instanceof Step.Run || step instanceof Step.Expect))
            .toList());
  }

  /** Lines of Java that a reader types outside of tests; blank ones and imports not counted. */
  long linesOfJava() {
    return lines(typedOutsideOfTests().filter(file -> file.path().startsWith("src/main/java/")));
  }

  /** Lines of any kind that a reader types outside of tests; blank ones and imports not counted. */
  long linesOutsideOfTests() {
    return lines(typedOutsideOfTests());
  }

  /** Files that a reader makes or changes outside of tests. */
  long filesOutsideOfTests() {
    return typedOutsideOfTests().map(Typed::path).distinct().count();
  }

  private record Typed(String path, Stream<String> lines) {}

  private Stream<Typed> typedOutsideOfTests() {
    return steps.stream()
        .flatMap(
            step ->
                switch (step) {
                  case Step.WriteFile file ->
                      Stream.of(new Typed(file.path(), file.text().lines()));
                  case Step.ChangeFile file -> Stream.of(new Typed(file.path(), file.added()));
                  case Step.Run run -> Stream.empty();
                  case Step.Expect expected -> Stream.empty();
                })
        .filter(typed -> !typed.path().startsWith("src/test/"));
  }

  private static long lines(Stream<Typed> files) {
    return files
        .flatMap(Typed::lines)
        .filter(
            line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
        .count();
  }
}
