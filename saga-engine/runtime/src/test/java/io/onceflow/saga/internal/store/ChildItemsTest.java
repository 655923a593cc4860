package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A saga that starts another one for each of its items. */
@Timeout(value = 60, unit = SECONDS)
class ChildItemsTest {

  private final Family family =
      new Family(SagaDatabase.source(), new Convoy(), new Family.Packing());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox", "classpath:db/onceflow/inbox");
  }

  /** Seen red where the end of one does not wake the parent. */
  @Test
  void eachHasAKeyAndASubjectOfItsOwnAndAllThatHaveEndedCountAtOnce() throws SQLException {
    UUID parent = family.place("convoy", UUID.randomUUID());
    UUID north = family.child(parent, "pack/north");
    UUID south = family.child(parent, "pack/south");
    assertThat(family.view(north).parent()).isEqualTo(parent);
    assertThat(family.view(north).steps().getFirst().idempotencyKey())
        .isEqualTo(parent + "/pack/north:tell-driver");
    assertThat(SagaDatabase.count("SELECT count(DISTINCT subject_id) FROM saga_instance"))
        .isEqualTo(3);

    for (UUID child : List.of(north, south)) {
      complete(child);
    }
    assertThat(family.fireDue("convoy")).isEqualTo(1);

    UUID west = family.child(parent, "pack/west");
    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.RUNNING);
    complete(west);
    family.fireDue("convoy");
    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPLETED);
  }

  /** Seen red where the end of one does not wake the parent. */
  @Test
  void theOthersAreUndoneWhenOneIsCompensated() throws SQLException {
    UUID parent = family.place("convoy", UUID.randomUUID());
    UUID north = family.child(parent, "pack/north");
    UUID south = family.child(parent, "pack/south");
    complete(north);
    family.reply(south, refused("tell-driver"));
    family.fireDue("convoy");
    assertThat(family.stepOf(parent, "pack/south").status()).isEqualTo(StepStatus.REFUSED);

    family.fireDue("packing");
    UUID west = family.child(parent, "pack/west");
    assertThat(family.view(west).reason()).isEqualTo("COMPENSATED_BY_PARENT");
    family.reply(west, refused("tell-driver"));
    family.reply(north, done("calm-porter"));
    family.reply(north, done("calm-driver"));
    family.fireDue("convoy");

    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(family.view(north).status()).isEqualTo(SagaStatus.COMPENSATED);
  }

  private void complete(UUID child) throws SQLException {
    family.reply(child, done("tell-driver"));
    family.reply(child, done("tell-porter"));
  }

  /** Packs for three places, two at a time. */
  static final class Convoy implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "convoy",
          1,
          step("pack")
              .forEach((PlaceOrder order) -> List.of("north", "south", "west"), place -> place)
              .atOnce(2)
              .start(
                  Family.Packing.class,
                  (PlaceOrder order, String place) ->
                      Family.order(UUID.nameUUIDFromBytes((order.id() + place).getBytes(UTF_8)))));
    }
  }
}
