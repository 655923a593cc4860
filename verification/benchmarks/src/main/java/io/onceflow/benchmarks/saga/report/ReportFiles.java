package io.onceflow.benchmarks.saga.report;

import io.onceflow.benchmarks.machine.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/**
 * Where a report is kept: in files of one name.
 *
 * @param name without an ending
 */
public record ReportFiles(Path folder, String name) {

  /** Named after the day and the machine, so that reports of others stay beside it. */
  public static ReportFiles ofThisMachine(Path folder, Report report, String suffix) {
    return new ReportFiles(
        folder,
        "%s-%d-cores%s"
            .formatted(
                report.startedAt().atZone(ZoneOffset.UTC).toLocalDate(),
                Machine.processors(),
                suffix));
  }

  /**
   * Prints a report, and keeps it as Markdown.
   *
   * @param others what else is kept, by the ending of its file
   * @return the exit code of the command
   */
  public int show(CommandLine command, Report report, Map<String, String> others)
      throws IOException {
    PrintWriter terminal = command.getOut();
    terminal.print(Markdown.of(report));
    terminal.flush();
    Map<String, String> files = new TreeMap<>(others);
    files.put("md", Markdown.of(report));
    Files.createDirectories(folder);
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(name + "." + file.getKey()), file.getValue());
    }
    command.getErr().println("Kept as " + folder.resolve(name) + ".*");
    return report.faults().isEmpty() ? 0 : 1;
  }
}
