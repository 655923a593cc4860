package io.onceflow.saga.internal.operators;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many statements an operator's look at a saga takes. */
@Timeout(value = 60, unit = SECONDS)
class SagaDetailsStatementsTest {

  private final CountedShop counted = new CountedShop();
  private UUID saga;

  @BeforeEach
  void place() throws SQLException {
    SagaDatabase.makeAnew();
    Shop shop = new Shop(PlaceOrder.DEFINITION);
    saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed());
  }

  /** Before: 22, since each action read the saga and its history twice. */
  @Test
  void aSagasPageTakesThree() throws SQLException {
    SagaDetails details = resource().details(saga);

    assertThat(details.actions())
        .filteredOn(it -> !it.allowed())
        .as("it is not on hold")
        .extracting(SagaDetails.Action::action)
        .containsExactly(SagaDetails.Kind.RESUME);
    assertThat(details.saga().history()).isNotEmpty();
    assertThat(counted.statements).as("the saga, its history, and what it is found by").hasSize(3);
  }

  @Test
  void itsMessagesTakeThree() throws SQLException {
    assertThat(resource().messages(saga)).last().satisfies(it -> assertThat(it.body()).isNotNull());
    assertThat(counted.statements).hasSize(3);
  }

  private SagaDetailsResource resource() {
    return new SagaDetailsResource(
        counted.sagas,
        counted.unitOfWork,
        counted.runtime.config(),
        QuarkusSecurityIdentity.builder()
            .setPrincipal(new QuarkusPrincipal("olga"))
            .addRole(Roles.OPERATOR)
            .build());
  }
}
