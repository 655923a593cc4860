package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that were parked for the same cause are one group. */
class ParkedGroupsTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("parked_groups");

  private final ParkedGroups groups = new ParkedGroups(DATABASE.source());
  private final ParkedMessages messages =
      new ParkedMessages(DATABASE.source(), new ObjectMapper(), new SimpleMeterRegistry());

  @BeforeEach
  void forget() {
    DATABASE.update("TRUNCATE parked_message");
  }

  @Test
  void numbersIdsQuotesAndTheNoteOfAttemptsMakeNoOther() throws SQLException {
    parked("A", "order 17 of \"ada\" is away (attempt 3 of 5)", 0);
    parked("A", "order 18 of \"bob\" is away (attempts exhausted: 5)", 2);
    parked("A", "order 0199c3a4-0000-7000-8000-000000000001 of \"c\" is away", 1);
    parked("A", "the gateway is away", 0);
    parked("B", "order 17 of \"ada\" is away", 0);

    List<ParkedGroup> found = groups.largest();

    assertThat(found)
        .extracting(ParkedGroup::type, ParkedGroup::cause, ParkedGroup::count)
        .containsExactlyInAnyOrder(
            tuple("A", "order * of * is away", 3L),
            tuple("A", "the gateway is away", 1L),
            tuple("B", "order * of * is away", 1L));
    ParkedGroup largest = found.getFirst();
    assertThat(largest.redrives()).isEqualTo(3);
    assertThat(largest.samples()).hasSize(3);
    assertThat(largest.firstAt()).isBeforeOrEqualTo(largest.lastAt());
  }

  /** The number of a group is that of the list that it leads to. */
  @Test
  void aGroupFindsItsMessages() throws SQLException {
    DATABASE.update(
        """
        INSERT INTO parked_message (id, queue, type, payload, reason, detail)
        SELECT gen_random_uuid(), 'q', 'A', '', 'handling-failed',
               CASE i % 3 WHEN 0 THEN 'cause one of ' || i WHEN 1 THEN 'cause two' ELSE 'c ' || i END
        FROM   generate_series(1, 10000) AS i
        """);

    List<ParkedGroup> found = groups.largest();

    assertThat(found).extracting(ParkedGroup::count).containsExactly(3334L, 3333L, 3333L);
    for (ParkedGroup each : found) {
      assertThat(messages.newest(null, null, each.fingerprint(), 10_000))
          .hasSize((int) each.count());
    }
  }

  /**
   * What opening the console costs: the table is read once, without a file, whatever the messages
   * hold.
   */
  @Test
  void tenThousandAreGroupedInOneReadOfTheTable() {
    DATABASE.update(
        """
        INSERT INTO parked_message (id, queue, type, payload, reason, detail)
        SELECT (lpad(to_hex(1764000000000 + i), 12, '0') || '7' || substr(md5(i::text), 14))::uuid,
               'payment-service.commands', 'ProcessPayment', convert_to(repeat('x', 600), 'UTF8'),
               'handling-failed', 'the gateway answered 503 for order ' || i || ' of "ada": '
                 || repeat('try again later ', 8) || '(attempts exhausted: 5)'
        FROM   generate_series(1, 10000) AS i
        """);
    DATABASE.update("ANALYZE parked_message");
    long pages = DATABASE.number("SELECT pg_relation_size('parked_message') / 8192");

    String plan =
        String.join(
            "\n",
            DATABASE.texts(
                "EXPLAIN (ANALYZE, BUFFERS) " + ParkedGroups.GROUPS,
                ParkedGroups.MOST_MESSAGES,
                ParkedGroups.MOST));

    assertThat(plan).doesNotContain("temp read", "temp written");
    Matcher buffers =
        Pattern.compile("Buffers: shared (?:hit=(\\d+))?(?: ?read=(\\d+))?").matcher(plan);
    assertThat(buffers.find()).as(plan).isTrue();
    long read = number(buffers.group(1)) + number(buffers.group(2));
    assertThat(read).as(plan).isLessThanOrEqualTo(pages * 11 / 10 + 100);
    assertThat(plan).containsPattern("Scan.* on parked_message .*rows=10000(\\.00)? loops=1");
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static void parked(String type, String detail, int redrives) {
    DATABASE.update(
        """
        INSERT INTO parked_message (id, queue, type, payload, reason, detail, redrives)
        VALUES (gen_random_uuid(), 'q', ?, '', 'handling-failed', ?, ?)
        """,
        type,
        detail,
        redrives);
  }
}
