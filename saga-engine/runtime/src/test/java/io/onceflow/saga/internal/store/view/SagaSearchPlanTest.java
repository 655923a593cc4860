package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.internal.store.view.Wanted.any;
import static io.onceflow.saga.internal.store.view.Wanted.found;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter.Page;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page of sagas costs, whichever way it is asked for. */
@Timeout(value = 60, unit = SECONDS)
class SagaSearchPlanTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  /** Those of one value are in the index in the order of their ids. */
  @Test
  void aPageIsReadByTheAttributesIndex() throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, started_at, ended_at)
        SELECT ('019ca869-507b-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'place-order', 1,
               gen_random_uuid(), 'alice', 'key-' || i, 'shop/place-order', '[]', 'COMPLETED', 3, now(), now()
        FROM   generate_series(1, 20000) AS i
        """);
    SagaDatabase.execute(
        """
        INSERT INTO saga_attribute (saga_id, name, value)
        SELECT id, 'region', CASE WHEN random() < 0.5 THEN 'EU' ELSE 'US' END
        FROM   saga_instance
        """);
    SagaDatabase.execute(
        """
        INSERT INTO saga_attribute (saga_id, name, value)
        SELECT id, 'orderNumber', row_number() OVER ()
        FROM   saga_instance
        """);
    SagaDatabase.execute("ANALYZE saga_instance, saga_attribute");

    for (String attribute : List.of("region:EU", "orderNumber:4711")) {
      assertThat(rowsRead(any().with("attribute", attribute))).as(attribute).isLessThan(200);
    }
  }

  /** A rare definition's sagas are found whether they are old, ended in another way, or few. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPageOfARareDefinitionIsReadByAnIndex(boolean newestFirst) throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, started_at, ended_at)
        SELECT ('019ca869-507b-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
               CASE WHEN i BETWEEN 5000 AND 5200 THEN 'rare' ELSE 'place-order' END, 1,
               gen_random_uuid(), 'alice', 'key-' || i, 'shop/place-order', '[]', 'COMPLETED', 3, now(), now()
        FROM   generate_series(1, 20000) AS i
        """);
    SagaDatabase.execute(
        """
        UPDATE saga_instance SET status = 'COMPENSATED', reason = 'DECLINED'
        WHERE  definition = 'rare' AND right(root_key, 1) = '7'
        """);
    SagaDatabase.execute("ANALYZE saga_instance");
    UUID open = shop.placeOne();
    SagaDatabase.execute(
        "UPDATE saga_instance SET definition = 'rare' WHERE id = '%s'".formatted(open));
    Wanted rare = any().with("definition", "rare").page(new Page(null, newestFirst, 300));

    assertThat(found(rare)).hasSize(202).contains(open).isSortedAccordingTo(order(newestFirst));
    for (Wanted few :
        List.of(
            rare.page(new Page(null, newestFirst, 10)),
            rare.page(new Page(null, newestFirst, 10)).with("status", SagaStatus.COMPENSATED))) {
      assertThat(rowsRead(few)).isLessThan(600);
    }
    assertThat(found(rare.page(new Page(null, newestFirst, 10))))
        .isEqualTo(found(rare).subList(0, 10));
  }

  private static Comparator<UUID> order(boolean newestFirst) {
    Comparator<UUID> oldest = Comparator.comparing(UUID::toString);
    return newestFirst ? oldest.reversed() : oldest;
  }

  private static long rowsRead(Wanted wanted) throws SQLException {
    String read =
        """
        SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS read
        FROM   pg_stat_xact_user_tables
        WHERE  relname IN ('saga_instance', 'saga_attribute')
        """;
    SagaDatabase.closeIdle();
    return SagaDatabase.inTransaction(
        tx -> {
          Sql.update(tx, "SET LOCAL enable_seqscan = on");
          assertThat(SagaList.find(tx, wanted.filter(), wanted.page())).isNotEmpty();
          return Sql.query(tx, read, row -> row.bigint("read")).getFirst();
        });
  }
}
