package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.internal.store.ExpiredRecords;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.TestCollection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table that has been in use is divided by days where it stands. */
class DivisionTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("divided_late");

  @Test
  void keepsWhatIsThereAndLetsItGoInTheEnd() throws Exception {
    List<String> indexes = indexes();
    insert("before");
    DATABASE.migrate(
        "divided_late",
        "onceflow/idempotency",
        "onceflow/idempotency-partitioned",
        "onceflow/inbox",
        "onceflow/inbox-partitioned",
        "onceflow/outbox",
        "test");
    assertThat(insert("before")).as("it is there already").isZero();
    assertThat(insert("after")).isEqualTo(1);
    assertThat(indexes())
        .containsAll(indexes)
        .as("and two of the partitions' ends")
        .hasSize(indexes.size() + 2);
    look();
    DATABASE.update("DROP TABLE idempotency_record_undivided");
    makeToday();
    assertThat(insert("with the sequence of tokens still there")).isEqualTo(1);
    DATABASE.update("DROP TABLE inbox_message_undivided");
  }

  private static void look() throws Exception {
    new TestCollection()
        .of(ExpiredRecords.TABLE, DATABASE.source(), new SimpleMeterRegistry())
        .collect();
    assertThat(DATABASE.texts("SELECT key FROM idempotency_record"))
        .containsExactlyInAnyOrder("before", "after");
  }

  private static void makeToday() throws Exception {
    DATABASE
        .texts(
            """
            SELECT inhrelid::regclass FROM pg_inherits
            WHERE inhparent = 'idempotency_record'::regclass
            """)
        .forEach(partition -> DATABASE.update("DROP TABLE " + partition));
    new TestCollection()
        .of(ExpiredRecords.TABLE, DATABASE.source(), new SimpleMeterRegistry())
        .collect();
  }

  /** All but those of the primary key, which every partition has of its own. */
  private static List<String> indexes() {
    return DATABASE.texts(
        """
        SELECT regexp_replace(indexdef, ' ON (ONLY )?', ' ON ')
        FROM   pg_indexes
        WHERE  schemaname = current_schema
        AND    tablename IN ('idempotency_record', 'inbox_message')
        AND    indexname NOT LIKE '%_pkey'
        ORDER  BY indexname
        """);
  }

  private static int insert(String key) {
    return DATABASE.update(
        """
        INSERT INTO idempotency_record (scope, key, fingerprint, status, expires_at)
        VALUES ('scope', ?, '', 'STARTED', now() + interval '1 h')
        ON CONFLICT DO NOTHING
        """,
        key);
  }
}
