package io.onceflow.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {

  @TempDir Path proc;

  @Test
  void countsAProcessItsDescendantsAndTheirEndedChildrenAlone() throws IOException {
    process(10, 1, "postgres", "100 20 3 4");
    process(11, 10, "postgres: a (b) c", "10 0 0 0");
    process(12, 11, "deep", "1 1 1 1");
    process(13, 1, "other", "9000 0 0 0");

    assertThat(new ProcessTable(proc).cpuMillis(List.of(10L))).hasValue(1410);
  }

  @Test
  void tellsNothingAboutProcessesThatCannotBeSeen() {
    assertThat(new ProcessTable(proc).cpuMillis(List.of(10L))).isEmpty();
    assertThat(new ProcessTable(proc.resolve("none")).peakMemory(List.of(10L))).isEmpty();
  }

  @Test
  void countsSharedMemoryOnce() throws IOException {
    process(10, 1, "postgres", "0 0 0 0");
    process(11, 10, "postgres", "0 0 0 0");
    memory(10, 120, 100);
    memory(11, 90, 80);

    assertThat(new ProcessTable(proc).peakMemory(List.of(10L))).hasValue((20 + 10 + 100) * 1024);
  }

  @Test
  void dividesWhatWasSpentBetweenTwoSnapshotsByTheSagas() {
    StatementCount known = new StatementCount("orders", 7, "SELECT 1", 100, 10, 100);
    StatementCount more = new StatementCount("orders", 7, "SELECT 1", 140, 30, 100);
    StatementCount fresh = new StatementCount("orders", 8, "SELECT 2", 10, 5, 0);
    Snapshot before =
        new Snapshot(
            Map.of("broker", 1000.0),
            300,
            5000,
            50,
            Map.of(),
            List.of(known),
            OptionalDouble.of(3));
    Snapshot after =
        new Snapshot(
            Map.of("broker", 1500.0),
            400,
            25_000,
            150,
            Map.of("orders", 70.0),
            List.of(fresh, more),
            OptionalDouble.of(63));

    SagaCost cost = SagaCost.between(before, after, 10);

    assertThat(cost.cpuMillis()).containsEntry("broker", 50.0);
    assertThat(cost.compilerMillis()).isEqualTo(10);
    assertThat(after.compilersShareSince(before)).isEqualTo(0.2);
    assertThat(cost.walBytes()).isEqualTo(2000);
    assertThat(cost.writingTransactions()).isEqualTo(10);
    assertThat(cost.commits()).containsEntry("orders", 7.0);
    assertThat(cost.statements()).containsEntry("orders", 5.0);
    assertThat(cost.messages()).hasValue(6);
    assertThat(cost.statementsByTime()).extracting(StatementCount::id).containsExactly(7L, 8L);
  }

  @Test
  void countsCompilerThreadsThatHaveEndedToo() throws IOException {
    thread(10, 11, "C2 CompilerThre", "100 20 0 0");
    thread(10, 12, "C1 CompilerThre", "10 0 0 0");
    thread(10, 13, "vert.x-eventloo", "9000 0 0 0");
    CompilerTime compilers = new CompilerTime(proc, List.of(10L, 20L));
    assertThat(compilers.millis()).hasValue(1300);

    Files.delete(proc.resolve("10/task/12/stat"));
    thread(10, 11, "C2 CompilerThre", "150 20 0 0");
    assertThat(compilers.millis()).hasValue(1800);
  }

  @Test
  void knowsNoCompilersWhereThereAreNoSuchThreads() {
    assertThat(new CompilerTime(proc, List.of(10L)).millis()).isEmpty();
  }

  @Test
  void readsTheRelaysMeter() {
    String page =
        """
        # TYPE onceflow_outbox_relayed counter
        onceflow_outbox_relayed_total{outcome="refused"} 5.0
        onceflow_outbox_relayed_total{outcome="confirmed"} 60.0
        """;

    assertThat(RelayedMessages.parse(page)).isEqualTo(60);
  }

  private void process(long pid, long parent, String name, String times) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    String stat = "%d (%s) S %d 0 0 0 -1 0 1 2 3 4 %s 20 0 1\n";
    Files.writeString(folder.resolve("stat"), stat.formatted(pid, name, parent, times));
  }

  private void thread(long pid, long tid, String name, String times) throws IOException {
    Path folder = Files.createDirectories(proc.resolve("%d/task/%d".formatted(pid, tid)));
    String stat = "%d (%s) S 1 0 0 0 -1 0 1 2 3 4 %s 20 0 1\n";
    Files.writeString(folder.resolve("stat"), stat.formatted(tid, name, times));
  }

  private void memory(long pid, int peak, int shared) throws IOException {
    String status = "Name:\tx\nVmHWM:\t  %d kB\nRssShmem:\t  %d kB\n".formatted(peak, shared);
    Files.writeString(proc.resolve(Long.toString(pid)).resolve("status"), status);
  }
}
