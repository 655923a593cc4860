package io.onceflow.benchmarks.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParameterTemplateTest {

  private static final String FIRST = "01a1fe03-2c39-70fc-b40b-6538617977d9";
  private static final String SECOND = "01a1fe03-2c39-7744-b40b-6538f315c0f6";
  private static final String ROOT_KEY = "086947ee-9d97-4c41-9502-ecc9f270eb55";

  private final Ids ids =
      new Ids(saga("{%s,%s}".formatted(SECOND, FIRST), ROOT_KEY + ":process-payment"));

  @Test
  void replacesAnIdByTheSameOneWhereverItStandsAndHoweverItIsWritten() {
    ReplayRound round = new ReplayRound(ids);
    String id = round.id(0);

    assertThat(text("{\"{\\\"orderId\\\":\\\"%s\\\"}\"}".formatted(FIRST), round))
        .isEqualTo("{\"{\\\"orderId\\\":\\\"%s\\\"}\"}".formatted(id));
    assertThat(text("ch_" + FIRST.replace("-", ""), round)).isEqualTo("ch_" + id.replace("-", ""));
    assertThat(text("SIM-" + FIRST.replace("-", "").toUpperCase(), round))
        .isEqualTo("SIM-" + id.replace("-", "").toUpperCase());
    assertThat(text(ROOT_KEY + ":ship", round)).isEqualTo(round.id(2) + ":ship");
  }

  @Test
  void hasOtherIdsInEveryRoundThatFollowEachOtherAsTheRecordedOnesDid() {
    ReplayRound one = new ReplayRound(ids);
    ReplayRound other = new ReplayRound(ids);

    assertThat(one.id(0)).isNotEqualTo(other.id(0)).isNotEqualTo(FIRST);
    assertThat(one.id(0)).isLessThan(one.id(1)).matches(".{14}7.{3}-[89ab].*");
    assertThat(one.id(2)).matches(".{14}4.{3}-[89ab].*");
  }

  @Test
  void leavesHashesAndSmallNumbersAlone() {
    String hash = "\\x7d4ca5dc32e6f4e2175bc731f84bdcc5912f974e0be96bfdc8b1e530d113b711";

    assertThat(text(hash, new ReplayRound(ids))).isEqualTo(hash);
    assertThat(text("{1}", new ReplayRound(ids))).isEqualTo("{1}");
  }

  @Test
  void replacesANumberThatTheDatabaseGaveOutByTheOneOfTheRound() {
    ReplayRound round = new ReplayRound(ids);
    round.give(42);

    assertThat(text("{" + (ParameterTemplate.GIVEN_NUMBERS_FROM + 17) + "}", round))
        .isEqualTo("{42}");
    assertThatThrownBy(() -> text("" + ParameterTemplate.GIVEN_NUMBERS_FROM, new ReplayRound(ids)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void movesTimesAndKeepsHowTheyAreWritten() {
    RecordedSaga later =
        TimeShift.shift(
            saga("{\"2026-11-21 12:44:14.086+00\",NULL}", "{\"x\":\"2026-11-21T23:43:03.315Z\"}"),
            Duration.ofHours(1));

    assertThat(later.steps().getFirst().statements().getFirst().parameters())
        .containsExactly(
            "{\"2026-11-21 13:44:14.086+00\",NULL}", "{\"x\":\"2026-11-22T00:43:03.315Z\"}");
  }

  @Test
  void readsParametersWithQuotesAndNulls() {
    assertThat(LoggedParameters.parse("Parameters: $1 = 'it''s, $2 = ''x''', $2 = NULL, $3 = ''"))
        .containsExactly("it's, $2 = 'x'", null, "");
    assertThat(LoggedParameters.parse("")).isEmpty();
  }

  private String text(String recorded, ReplayRound round) {
    return new ParameterTemplate(recorded, ids).text(round);
  }

  private static RecordedSaga saga(String... parameters) {
    RecordedStatement statement =
        new RecordedStatement("SELECT $1, $2", Arrays.asList(parameters), 0);
    return new RecordedSaga(List.of(new RecordedStep("POST", "orders", List.of(statement))));
  }
}
