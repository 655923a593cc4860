package io.onceflow.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {

  private static final Snapshot BEFORE =
      new Snapshot(
          100,
          Map.of("broker", 1000.0),
          300,
          Map.of("order-service", 100.0),
          new DatabaseCounts(5000, Map.of(), Map.of("orders", 100.0)),
          OptionalDouble.of(3));

  private static final Snapshot AFTER =
      new Snapshot(
          105,
          Map.of("broker", 1500.0),
          400,
          Map.of("order-service", 300.0),
          new DatabaseCounts(
              25_000, Map.of("orders", 70.0), Map.of("orders", 140.0, "payments", 10.0)),
          OptionalDouble.of(63));

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
    SagaCost cost = cost(10);

    assertThat(cost.seconds()).isEqualTo(0.5);
    assertThat(cost.cpuMillis()).containsEntry("broker", 50.0);
    assertThat(cost.compilerMillis()).isEqualTo(10);
    assertThat(AFTER.compilersShareSince(BEFORE)).isEqualTo(0.2);
    assertThat(cost.wakeUps()).containsEntry("order-service", 20.0);
    assertThat(cost.walBytes()).isEqualTo(2000);
    assertThat(cost.wal()).containsExactly(entry(WalCount.INDEX_ENTRIES, 67.0));
    assertThat(cost.commits()).containsEntry("orders", 7.0);
    assertThat(cost.statements()).containsOnly(entry("orders", 4.0), entry("payments", 1.0));
    assertThat(cost.totalStatements()).isEqualTo(5);
    assertThat(cost.messages()).hasValue(6);
  }

  @Test
  void takesOffWhatIsSpentWithoutSagasInTheTimeThatASagaTakes() {
    SagaCost idle =
        new SagaCost(
            1,
            Map.of("broker", 20.0),
            4,
            Map.of("order-service", 10.0),
            100,
            Map.of(WalCount.INDEX_ENTRIES, 2.0),
            Map.of("orders", 2.0),
            Map.of("orders", 6.0),
            OptionalDouble.of(2));

    SagaCost cost = cost(10).without(idle);

    assertThat(cost.cpuMillis()).containsEntry("broker", 40.0);
    assertThat(cost.compilerMillis()).isEqualTo(8);
    assertThat(cost.wakeUps()).containsEntry("order-service", 15.0);
    assertThat(cost.walBytes()).isEqualTo(2000);
    assertThat(cost.wal()).containsExactly(entry(WalCount.INDEX_ENTRIES, 67.0));
    assertThat(cost.commits()).containsEntry("orders", 6.0);
    assertThat(cost.statements()).containsOnly(entry("orders", 1.0), entry("payments", 1.0));
    assertThat(cost.messages()).hasValue(6);
  }

  private static SagaCost cost(double sagas) {
    return SagaCost.between(BEFORE, AFTER, Map.of(WalCount.INDEX_ENTRIES, 670.0), sagas);
  }

  @Test
  void countsCompilerThreadsThatHaveEndedToo() throws IOException {
    thread(10, 11, "C2 CompilerThre", "100 20 0 0", 1000);
    thread(10, 12, "C1 CompilerThre", "10 0 0 0", 1000);
    thread(10, 13, "vert.x-eventloo", "9000 0 0 0", 5);
    JvmThreads threads = threads();
    threads.read();
    assertThat(threads.compilerMillis()).hasValue(1300);

    Files.delete(proc.resolve("10/task/12/stat"));
    thread(10, 11, "C2 CompilerThre", "150 20 0 0", 1000);
    threads.read();
    assertThat(threads.compilerMillis()).hasValue(1800);
  }

  @Test
  void countsHowOftenThreadsWereWokenAndNotThoseOfTheJvmItself() throws IOException {
    thread(10, 11, "C2 CompilerThre", "0 0 0 0", 1000);
    thread(10, 12, "GC Thread#0", "0 0 0 0", 1000);
    thread(10, 13, "VM Periodic Tas", "0 0 0 0", 1000);
    thread(10, 14, "vert.x-eventloo", "0 0 0 0", 5);
    thread(10, 15, "ForkJoinPool-1-", "0 0 0 0", 7);
    thread(20, 20, "postgres", "0 0 0 0", 1000);
    JvmThreads threads = threads();
    threads.read();
    assertThat(threads.wakeUps()).containsExactly(entry("order-service", 12.0));

    Files.delete(proc.resolve("10/task/15/stat"));
    threads.read();
    assertThat(threads.wakeUps()).as("one has ended").containsEntry("order-service", 12.0);
  }

  @Test
  void knowsNoThreadsWhereThereIsNoJvm() {
    JvmThreads threads = threads();
    threads.read();

    assertThat(threads.compilerMillis()).isEmpty();
    assertThat(threads.wakeUps()).isEmpty();
  }

  private JvmThreads threads() {
    return new JvmThreads(proc, Map.of("order-service", List.of(10L), "PostgreSQL", List.of(20L)));
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

  private void thread(long pid, long tid, String name, String times, long waits)
      throws IOException {
    Path folder = Files.createDirectories(proc.resolve("%d/task/%d".formatted(pid, tid)));
    String stat = "%d (%s) S 1 0 0 0 -1 0 1 2 3 4 %s 20 0 1\n";
    Files.writeString(folder.resolve("stat"), stat.formatted(tid, name, times));
    String status = "Name:\t%s\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t3\n";
    Files.writeString(folder.resolve("status"), status.formatted(name, waits));
  }

  private void memory(long pid, int peak, int shared) throws IOException {
    String status = "Name:\tx\nVmHWM:\t  %d kB\nRssShmem:\t  %d kB\n".formatted(peak, shared);
    Files.writeString(proc.resolve(Long.toString(pid)).resolve("status"), status);
  }
}
