package io.onceflow.systemtests.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryHistoryTest {

  private static final Api.Answer PLACED = new Api.Answer(201, "{\"id\": \"order-1\"}");

  @TempDir Path folder;

  private final EntryHistory history = new EntryHistory();

  @Test
  void anAnswerHasTheIdOfItsOrder() throws IOException {
    assertThat(history.place("a", () -> PLACED)).isSameAs(PLACED);

    assertThat(written())
        .containsExactly(
            "{:process 0, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 0, :type :ok, :f :place, :value [\"a\" \"order-1\"]}");
  }

  @Test
  void aProcessHasOneRequestAtATime() throws IOException {
    history.place("a", () -> history.place("a", () -> new Api.Answer(409, "{}")));
    history.place("b", () -> PLACED);

    assertThat(written())
        .containsExactly(
            "{:process 0, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 1, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 1, :type :fail, :f :place, :value [\"a\" nil]}",
            "{:process 0, :type :fail, :f :place, :value [\"a\" nil]}",
            "{:process 0, :type :invoke, :f :place, :value [\"b\" nil]}",
            "{:process 0, :type :ok, :f :place, :value [\"b\" \"order-1\"]}");
  }

  @Test
  void aProcessDoesNothingAfterARequestOfUnknownEffect() throws IOException {
    history.place("a", () -> new Api.Answer(503, "{}"));
    assertThatThrownBy(() -> history.place("a", EntryHistoryTest::lost))
        .isInstanceOf(IOException.class);
    history.place("a", () -> PLACED);

    assertThat(written())
        .containsExactly(
            "{:process 0, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 0, :type :info, :f :place, :value [\"a\" nil]}",
            "{:process 1, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 1, :type :info, :f :place, :value [\"a\" nil]}",
            "{:process 2, :type :invoke, :f :place, :value [\"a\" nil]}",
            "{:process 2, :type :ok, :f :place, :value [\"a\" \"order-1\"]}");
  }

  @Test
  void timesDoNotDecrease() throws IOException {
    history.place("a", () -> PLACED);
    history.place("b", () -> PLACED);

    assertThat(
            lines().stream().map(it -> it.replaceAll(".*:time (\\d+)}", "$1")).map(Long::valueOf))
        .hasSize(4)
        .isSorted();
  }

  private static Api.Answer lost() throws IOException {
    throw new IOException("lost");
  }

  /** What was written, without its times. */
  private List<String> written() throws IOException {
    return lines().stream().map(it -> it.replaceAll(", :time \\d+}", "}")).toList();
  }

  private List<String> lines() throws IOException {
    Path file = folder.resolve("history.edn");
    history.write(file);
    return Files.readAllLines(file);
  }
}
