package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.easypost.LabelOutcome.Bought;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers that are not EasyPost's, or not of its form, as of a proxy whose backend is down. */
class EasyPostUnreadableAnswerTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_unreadable", "db/onceflow/easypost");

  @RegisterExtension static final TestEasyPost EASY_POST = new TestEasyPost();

  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestEasyPost.newKey();
  private final EasyPostLabels labels =
      new EasyPostLabels(
          TestEasyPostConfig.of(EASY_POST.easyPost().url()),
          new EasyPostRequests(DATABASE),
          new EasyPostRefundTable(DATABASE),
          new EasyPostEvents(DATABASE),
          new SimpleMeterRegistry());
  private final EasyPostBook book = new EasyPostBook(labels, new EasyPostRefundTable(DATABASE));

  @ParameterizedTest
  @CsvSource({
    "503, ''",
    "503, <html>Service Unavailable</html>",
    "404, ''",
    "404, <html>Not Found</html>",
    "404, {}",
    "422, ''",
    "200, ''",
    "200, <html>Sign in</html>",
    "200, null",
    "200, []",
    "200, {}"
  })
  void sayNothingAboutALabel(int status, String body) throws Exception {
    EASY_POST.easyPost().faults().answersOtherwise(status, body);

    assertThatThrownBy(() -> labels.buy(key, request())).isInstanceOf(EasyPostUnavailable.class);

    EASY_POST.easyPost().faults().none();
    assertThat(labels.buy(key, request())).isInstanceOf(Bought.class);
  }

  @ParameterizedTest
  @CsvSource({"404, ''", "404, '{\"error\": {\"code\": \"NOT_FOUND\"}}'", "200, {}"})
  void doNotSettleALabelThatWasBought(int status, String body) throws Exception {
    String trackingCode = ((Bought) labels.buy(key, request())).trackingCode();
    wasBought(Duration.ofHours(1));
    EASY_POST.easyPost().faults().answersOtherwise(status, body);

    assertThatThrownBy(() -> labels.annul(key, order)).isInstanceOf(EasyPostUnavailable.class);

    EASY_POST.easyPost().faults().none();
    assertThat(labels.annul(key, order)).contains(trackingCode);
  }

  @ParameterizedTest
  @CsvSource({
    "503, ''",
    "503, <html>Service Unavailable</html>",
    "200, <html>Sign in</html>",
    "200, []",
    "200, {}",
    "200, '{\"shipments\": null}'",
    "200, '{\"shipments\": [null]}'",
    "200, '{\"shipments\": [{}]}'",
    "200, '{\"shipments\": 5}'",
    "200, '{\"trackers\": [null]}'"
  })
  void areNoPageOfABook(int status, String body) {
    EASY_POST.easyPost().faults().answersOtherwise(status, body);
    Window window = new Window(Instant.now().minus(Duration.ofDays(1)), Instant.now());

    assertThatThrownBy(() -> book.read(window, entry -> {})).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> book.find("EZ1")).isInstanceOf(IOException.class);
  }

  private void wasBought(Duration before) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          "UPDATE easypost_request SET buy_at = buy_at - make_interval(secs => ?) WHERE key = ?",
          (double) before.toSeconds(),
          key.value());
    }
  }

  private LabelRequest request() {
    return new LabelRequest(order, TestEasyPost.recipient("SW1Y 4JH", "GB"), false);
  }
}
