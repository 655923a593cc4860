package io.onceflow.rabbitmq.internal.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A queue as the management API of RabbitMQ 4 describes it. */
class QueueReviewTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String OURS =
      """
      {"delivery-limit":-1,"max-length-bytes":536870912,"overflow":"reject-publish","dead-letter-strategy":"at-least-once"}""";

  private static final String QUEUE = "payment-service.commands";
  private static final String LETTERS = "payment-service.dead-letters";

  private static final List<QueueBinding> NEEDED =
      List.of(
          new QueueBinding(QUEUE, "onceflow.commands", "payment.#"),
          new QueueBinding(QUEUE, "onceflow.commands", "bundle.payment.#"),
          new QueueBinding(LETTERS, "onceflow.dead-letters", QUEUE));

  private final JsonNode bindings = bindings("onceflow.commands", "payment.#", "bundle.payment.#");
  private final JsonNode letters = bindings("onceflow.dead-letters", QUEUE);

  @Test
  void nothingIsWrongUnderThePolicyThatIsImported() {
    assertThat(review("onceflow", "", OURS)).isEmpty();
  }

  /** It takes the place of ours as a whole. */
  @Test
  void aForeignPolicyIsToldByItsNameAndWhatItDoes() {
    assertThat(review("theirs", "", "{\"message-ttl\":1000,\"max-length\":10}"))
        .containsExactly(
            "policy \"theirs\" drops messages that wait for 1000 ms (message-ttl)",
            "policy \"theirs\" drops the oldest messages beyond 10 (max-length)",
            "policy \"theirs\" dead-letters messages after 20 deliveries: delivery-limit is not -1",
            "policy \"theirs\" may lose dead letters: dead-letter-strategy is not at-least-once");
  }

  @Test
  void anOperatorPolicyIsToldBesideOurs() {
    assertThat(
            review(
                "onceflow", "limits", OURS.replace("{", "{\"expires\":60000,").replace("-1", "5")))
        .containsExactly(
            "policy \"onceflow\" with operator policy \"limits\" deletes the queue after 60000 ms without a consumer (expires)",
            "policy \"onceflow\" with operator policy \"limits\" dead-letters messages after 5 deliveries: delivery-limit is not -1");
  }

  /** What the broker gave up stayed inside the queue, where nothing showed it. */
  @Test
  void aMissingBindingIsTold() {
    assertThat(
            QueueReview.of(
                state("onceflow", "", OURS),
                NEEDED,
                Map.of(
                    QUEUE,
                    bindings("onceflow.commands", "payment.#"),
                    LETTERS,
                    bindings("onceflow.dead-letters", "shipping-service.commands"))))
        .containsExactly(
            "queue payment-service.commands is not bound to onceflow.commands by bundle.payment.#",
            "queue payment-service.dead-letters is not bound to onceflow.dead-letters by payment-service.commands");
  }

  @Test
  void aMissingQueueOfDeadLettersIsTold() {
    assertThat(
            QueueReview.of(
                state("onceflow", "", OURS),
                NEEDED,
                Map.of(QUEUE, bindings, LETTERS, MissingNode.getInstance())))
        .containsExactly("queue payment-service.dead-letters is missing");
  }

  private List<String> review(String policy, String operators, String effective) {
    return QueueReview.of(
        state(policy, operators, effective), NEEDED, Map.of(QUEUE, bindings, LETTERS, letters));
  }

  private static JsonNode state(String policy, String operators, String effective) {
    try {
      return JSON.valueToTree(
          Map.of(
              "policy", policy,
              "operator_policy", operators,
              "effective_policy_definition", JSON.readTree(effective)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static JsonNode bindings(String source, String... keys) {
    return JSON.valueToTree(
        Stream.of(keys).map(key -> Map.of("source", source, "routing_key", key)).toList());
  }
}
