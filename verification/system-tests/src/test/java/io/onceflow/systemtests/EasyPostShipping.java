package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import io.onceflow.easypostdouble.EasyPostFaults;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stack's shipping service, which ships by EasyPost's double for as long as this is open. */
final class EasyPostShipping implements AutoCloseable {

  private static final String SECRET = "hook_tests";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Stack stack;
  private final EasyPostDouble easyPost;

  EasyPostShipping(Stack stack) {
    this.stack = stack;
    String webhook = stack.shipping().url() + "/webhooks/easypost";
    this.easyPost = EasyPostDouble.start(new TrackerEvents(webhook, SECRET, 2, true));
    Map<String, String> settings = new HashMap<>();
    settings.put("ONCEFLOW_CARRIER", "easypost");
    settings.put("ONCEFLOW_EASYPOST_URL", easyPost.url());
    settings.put("ONCEFLOW_EASYPOST_API_KEY", "EZTK_double");
    settings.put("ONCEFLOW_EASYPOST_WEBHOOK_SECRETS", SECRET);
    settings.put("ONCEFLOW_EASYPOST_SETTLING_TIME", "PT5S");
    settings.put("ONCEFLOW_EASYPOST_SENDER_NAME", "Onceflow Books");
    settings.put("ONCEFLOW_EASYPOST_SENDER_STREET", "417 Montgomery Street");
    settings.put("ONCEFLOW_EASYPOST_SENDER_CITY", "San Francisco");
    settings.put("ONCEFLOW_EASYPOST_SENDER_ZIP", "94104");
    settings.put("ONCEFLOW_EASYPOST_SENDER_COUNTRY", "US");
    settings.put("JAVA_TOOL_OPTIONS", String.join(" ", easyPost.trustOptions()));
    restart(settings);
  }

  private void restart(Map<String, String> settings) {
    stack.shipping().stop();
    stack.shipping().configure(settings);
    stack.heal();
  }

  EasyPostFaults faults() {
    return easyPost.faults();
  }

  EasyPostDouble easyPost() {
    return easyPost;
  }

  /** The shipments at EasyPost of an order's label, bought or not. */
  List<Map<String, Object>> shipments(Order order) {
    return stack
        .shippingDatabase()
        .texts("SELECT key FROM easypost_request WHERE subject = ?", order.id())
        .stream()
        .flatMap(key -> easyPost.shipments(key).stream())
        .toList();
  }

  List<Map<String, Object>> labels(Order order) {
    return shipments(order).stream().filter(it -> it.get("postage_label") != null).toList();
  }

  int refunds(Order order) {
    return labels(order).stream()
        .mapToInt(it -> easyPost.refunds(it.get("id").toString()).size())
        .sum();
  }

  void expect(Order order, int labels, int refunds) {
    assertThat(labels(order)).hasSize(labels);
    assertThat(refunds(order)).isEqualTo(refunds);
  }

  /** Waits until the service has written this down of the order's label. */
  void awaitNoted(Order order, String condition) {
    String count =
        "SELECT count(*) FROM easypost_request WHERE subject = ? AND (%s)".formatted(condition);
    await(condition)
        .pollInterval(Duration.ofMillis(2))
        .atMost(LIMIT)
        .until(() -> stack.shippingDatabase().count(count, order.id()) == 1);
  }

  void awaitLabels(Order order, int count) {
    await("a label is bought")
        .pollInterval(Duration.ofMillis(2))
        .atMost(LIMIT)
        .until(() -> labels(order).size() == count);
  }

  static void awaitStatus(Order order, String status) {
    await(status).atMost(LIMIT).until(() -> status.equals(order.read().getString("status")));
  }

  @Override
  public void close() {
    restart(Map.of());
    easyPost.close();
  }
}
