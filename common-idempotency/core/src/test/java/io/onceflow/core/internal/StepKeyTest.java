package io.onceflow.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 5: same step, same key. */
class StepKeyTest {

  private static final IdempotencyKey ROOT = new IdempotencyKey("5f0c7a");

  @Test
  void isTheRootKeyAColonAndTheStep() {
    assertThat(new StepKey(ROOT, "process-payment")).hasToString("5f0c7a:process-payment");
  }

  @Test
  void isReadBackFromItsLastColon() {
    StepKey key = new StepKey(new IdempotencyKey("urn:uuid:5f0c7a"), "process-payment");
    assertThat(StepKey.parse(key.toString())).isEqualTo(key);
  }

  @Test
  void namesItsOriginAndIsReadBackWithIt() {
    StepKey key =
        new StepKey(new IdempotencyKey("a@b:c"), "process-payment", "order-service/place-order");
    assertThat(key).hasToString("a@b:c:process-payment@order-service/place-order");
    assertThat(StepKey.parse(key.toString())).isEqualTo(key);
    assertThat(StepKey.parse("a@b:c:process-payment").origin()).isEmpty();
  }

  @Test
  void neverMeetsAKeyOfAnotherOrigin() {
    StepKey ours = new StepKey(new IdempotencyKey("k"), "pay", "shop/sell");
    StepKey theirs = new StepKey(new IdempotencyKey("k"), "pay", "hotel/book");
    StepKey old = new StepKey(new IdempotencyKey("k:pay@shop/sell"), "pay");
    assertThat(Set.of(ours.toString(), theirs.toString(), old.toString(), "k:pay")).hasSize(4);
    assertThat(ours.sibling("undo").origin()).isEqualTo("shop/sell");
  }

  @Test
  void knowsTheKeyOfAnotherStepUnderTheSameRoot() {
    assertThat(new StepKey(ROOT, "refund-payment").sibling("process-payment"))
        .isEqualTo(new StepKey(ROOT, "process-payment"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "process:payment", ":", "pay@shop"})
  void refusesAStepThatWouldNotBeReadBack(String step) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepKey(ROOT, step))
        .withMessageContaining("rename the step");
  }

  @Test
  void refusesTextWithoutAColon() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StepKey.parse("5f0c7a"))
        .withMessageContaining("holds no colon");
  }

  @Test
  void refusesTextWithoutARootKey() {
    assertThatThrownBy(() -> StepKey.parse(":process-payment"))
        .isInstanceOf(MalformedIdempotencyKey.class);
  }
}
