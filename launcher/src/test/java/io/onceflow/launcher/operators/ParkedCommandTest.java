package io.onceflow.launcher.operators;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.onceflow.launcher.stack.LaunchException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is listed of several services. */
class ParkedCommandTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Before: nothing was printed of the others. */
  @Test
  void aServiceThatIsAwayIsSaidBesideTheMessagesOfTheOthers() throws Exception {
    ArrayNode all = JSON.createArrayNode();
    List<String> remarks = new ArrayList<>();

    boolean isComplete =
        ParkedCommand.collect(
            List.of("order-service", "payment-service", "shipping-service"),
            all,
            service -> {
              if (service.equals("payment-service")) {
                throw new LaunchException("http://localhost:1 does not answer");
              }
              return JSON.readTree("[{\"id\": \"of " + service + "\"}]");
            },
            remarks::add);

    assertThat(isComplete).isFalse();
    assertThat(all.findValuesAsText("id"))
        .containsExactly("of order-service", "of shipping-service");
    assertThat(all.findValuesAsText("service"))
        .containsExactly("order-service", "shipping-service");
    assertThat(remarks)
        .containsExactly("payment-service is not in this list: http://localhost:1 does not answer");
  }
}
