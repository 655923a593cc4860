package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is measured is written down, and what is written down is measured. */
@SystemTest
class MetricsTest {

  /** Tables are looked at every ten seconds. */
  private static final Duration SOON = Duration.ofMinutes(1);

  /** When there is one, as the documentation says of it. */
  private static final Pattern DOCUMENTED =
      Pattern.compile("(?m)^\\| `(onceflow_\\w+)[`{].*\\| *(always|later) *\\|$");

  private final Stack stack = Stack.get();

  @Test
  void theirNamesAreThoseOfTheDocumentation() throws IOException {
    Customer customer = stack.newCustomer();
    customer.places(OrderForm.GOOD).awaitConfirmed();
    customer.places(OrderForm.GOOD.shippedToCountry("AQ")).awaitCancelled();

    await("all that is always there is there")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(told()).containsAll(documented("always")));
    assertThat(told()).isSubsetOf(union(documented("always"), documented("later")));
  }

  private Set<String> told() {
    Set<String> told = new TreeSet<>();
    stack.services().forEach(service -> told.addAll(Metrics.names(service)));
    return told;
  }

  private static Set<String> documented(String when) throws IOException {
    Set<String> names = new TreeSet<>();
    DOCUMENTED
        .matcher(Files.readString(Project.file("docs/reference/metrics.md")))
        .results()
        .filter(found -> found.group(2).equals(when))
        .forEach(found -> names.add(found.group(1)));
    assertThat(names).isNotEmpty();
    return names;
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }
}
