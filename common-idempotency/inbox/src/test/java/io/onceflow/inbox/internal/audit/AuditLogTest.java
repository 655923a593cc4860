package io.onceflow.inbox.internal.audit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators did stays as it was recorded, and what was changed all the same is found. */
@Timeout(value = 60, unit = SECONDS)
class AuditLogTest {

  private static final TestDatabase DATABASE = TestDatabase.apartInSchema("audit");
  private static final UUID SAGA = UUID.randomUUID();

  private final AuditReads audit = new AuditReads(DATABASE.source());

  /** As the table's owner may, who is not whom the trigger is for. */
  @BeforeEach
  void empty() {
    tamper("DELETE FROM operator_audit");
  }

  @Test
  void keepsWhoDidWhatToWhatAndWhy() throws SQLException {
    record("olga", "retry", "the gateway is back");

    AuditRecord entry = newest().getFirst();

    assertThat(entry.seq()).isEqualTo(1);
    assertThat(entry.actor()).isEqualTo("olga");
    assertThat(entry.action()).isEqualTo("retry");
    assertThat(entry.subject()).isEqualTo(AuditSubject.saga(SAGA));
    assertThat(entry.reason()).isEqualTo("the gateway is back");
    assertThat(entry.previousHash()).isEqualTo("0".repeat(64));
  }

  @Test
  void keepsNothingOfAnActThatIsRolledBack() throws SQLException {
    try (Connection tx = DATABASE.begin()) {
      AuditLog.record(tx, entry("olga", "retry", null));
      tx.rollback();
    }
    assertThat(newest()).isEmpty();
  }

  @Test
  void isNotWrittenOutsideOfATransaction() throws SQLException {
    try (Connection connection = DATABASE.connect()) {
      assertThatThrownBy(() -> AuditLog.record(connection, entry("olga", "retry", null)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void cutsOffTextThatIsTooLong() throws SQLException {
    record("olga", "retry", "x".repeat(5_000));

    assertThat(newest().getFirst().reason()).hasSize(4_000).endsWith("x…");
    assertThat(audit.verify().intact()).isTrue();
  }

  @Test
  void refusesToBeChangedCutOrEmptied() throws SQLException {
    record("olga", "retry", null);

    for (String change :
        List.of(
            "UPDATE operator_audit SET actor = 'nobody'",
            "DELETE FROM operator_audit",
            "TRUNCATE operator_audit")) {
      assertThatThrownBy(() -> DATABASE.update(change))
          .as(change)
          .cause()
          .hasMessageContaining("append-only");
    }
    assertThat(newest()).hasSize(1);
  }

  /** Without the lock two entries would follow the same one, and one of them would fail. */
  @Test
  void isOneChainWhenManyActAtOnce() throws Exception {
    int acts = 40;
    try (ExecutorService operators = Executors.newFixedThreadPool(8)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < acts; i++) {
        String actor = "operator-" + i;
        done.add(
            operators.submit(
                () -> {
                  record(actor, "retry", null);
                  return null;
                }));
      }
      for (Future<?> act : done) {
        act.get();
      }
    }
    AuditVerification checked = audit.verify();
    assertThat(checked.intact()).isTrue();
    assertThat(checked.entries()).isEqualTo(acts);
    assertThat(entries())
        .extracting(AuditRecord::seq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, acts).boxed().toList());
  }

  @Test
  void findsAnEntryThatWasChanged() throws SQLException {
    recordThree();

    tamper("UPDATE operator_audit SET reason = 'none' WHERE seq = 2");

    assertThat(audit.verify().brokenAt()).isEqualTo(2);
  }

  /** Two texts that are one when they are joined are not the same. */
  @Test
  void findsATextThatWasMovedToTheNextField() throws SQLException {
    record("olga", "retry", "now");
    tamper("UPDATE operator_audit SET actor = 'olgar', action = 'etry'");

    assertThat(audit.verify().brokenAt()).isEqualTo(1);
  }

  @Test
  void findsThatAnEntryWasRemoved() throws SQLException {
    recordThree();

    tamper("DELETE FROM operator_audit WHERE seq = 2");

    assertThat(audit.verify().intact()).isFalse();
    assertThat(audit.verify().brokenAt()).isEqualTo(3);
  }

  /** Whoever changes an entry and its hash as well would have to change all that follow. */
  @Test
  void findsAnEntryWhoseHashWasMadeAnew() throws SQLException {
    recordThree();
    AuditRecord second = entries().get(1);
    AuditRecord forged =
        AuditRecord.of(
            new AuditEntry("eve", "compensate", second.subject(), null, null),
            2,
            second.at(),
            second.previousHash());

    tamper(
        "UPDATE operator_audit SET actor = 'eve', reason = NULL, hash = decode('%s', 'hex') WHERE seq = 2"
            .formatted(forged.hash()));

    assertThat(audit.verify().brokenAt()).isEqualTo(3);
  }

  @Test
  void tellsTheLastHashByWhichACutOffEndIsSeen() throws SQLException {
    recordThree();
    String noted = audit.verify().lastHash();

    tamper("DELETE FROM operator_audit WHERE seq = 3");

    assertThat(audit.verify().intact()).isTrue();
    assertThat(audit.verify().lastHash()).isNotEqualTo(noted);
  }

  @Test
  void isReadToItsEndInPages() throws SQLException {
    int many = 2 * AuditReads.PAGE + 1;
    try (Connection tx = DATABASE.begin()) {
      for (int i = 0; i < many; i++) {
        AuditLog.record(tx, entry("olga", "retry", null));
      }
      tx.commit();
    }
    assertThat(entries()).hasSize(many);
    assertThat(audit.verify().entries()).isEqualTo(many);
  }

  @Test
  void isListedBySubjectActorAndActionPageByPage() throws SQLException {
    record("olga", "retry", null);
    record("otto", "retry", null);
    record("olga", "compensate", null);
    AuditSubject other = AuditSubject.repair(UUID.randomUUID());
    DatabaseTransaction.call(
        DATABASE.source(),
        tx -> {
          AuditLog.record(tx, new AuditEntry("olga", "retry", other, null, null));
          return true;
        });

    assertThat(seqs(new AuditFilter(AuditSubject.saga(SAGA), null, null, null, 9)))
        .containsExactly(3L, 2L, 1L);
    assertThat(seqs(new AuditFilter(other, null, null, null, 9))).containsExactly(4L);
    assertThat(seqs(new AuditFilter(null, "olga", "retry", null, 9))).containsExactly(4L, 1L);
    assertThat(seqs(new AuditFilter(null, null, null, 3L, 1))).containsExactly(2L);
  }

  private static void recordThree() throws SQLException {
    record("olga", "retry", null);
    record("otto", "compensate", "no longer wanted");
    record("olga", "retry", null);
  }

  private static void record(String actor, String action, String reason) throws SQLException {
    DatabaseTransaction.call(
        DATABASE.source(),
        tx -> {
          AuditLog.record(tx, entry(actor, action, reason));
          return true;
        });
  }

  private static AuditEntry entry(String actor, String action, String reason) {
    return new AuditEntry(actor, action, AuditSubject.saga(SAGA), reason, null);
  }

  private List<AuditRecord> newest() throws SQLException {
    return audit.newest(new AuditFilter(null, null, null, null, 100));
  }

  private List<Long> seqs(AuditFilter filter) throws SQLException {
    return audit.newest(filter).stream().map(AuditRecord::seq).toList();
  }

  private List<AuditRecord> entries() throws SQLException {
    List<AuditRecord> all = new ArrayList<>();
    audit.all(all::add);
    return all;
  }

  private static void tamper(String sql) {
    try (Connection owner = DATABASE.begin()) {
      Sql.update(owner, "ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_append_only");
      Sql.update(owner, sql);
      Sql.update(owner, "ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_append_only");
      owner.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
