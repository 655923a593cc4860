package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docker-compose.yml, the Dockerfile and deploy/kubernetes say about the same thing. */
class ComposeTest {

  private static final Path ROOT = Overlay.root();
  private static final List<String> SERVICES =
      List.of("order-service", "payment-service", "shipping-service");

  @Test
  void theVersionIsTheSameWhereverItStands() throws IOException {
    Map<String, String> versions = new TreeMap<>();
    versions.put("docker-compose.yml", found("docker-compose.yml", "ONCEFLOW_VERSION:-([^}]+)}"));
    versions.put("Dockerfile", found("Dockerfile", "ARG VERSION=(\\S+)"));
    versions.put(".env.example", found(".env.example", "ONCEFLOW_VERSION=(\\S+)"));
    versions.put("deploy", found("deploy/kubernetes/base/kustomization.yaml", "newTag: (\\S+)"));
    assertThat(versions.values())
        .as("%s", versions)
        .containsOnly(found("pom.xml", "<version>([^<]+)</version>"));
  }

  @Test
  void everyLastingContainerIsBoundedComesBackAndKeepsItsLogSmall() throws IOException {
    List<String> careless = new ArrayList<>();
    Compose.read()
        .get("services")
        .properties()
        .forEach(
            service -> {
              JsonNode it = service.getValue();
              boolean ends = it.path("network_mode").asText().equals("none");
              boolean careful =
                  it.has("mem_limit")
                      && it.has("restart")
                      && it.at("/logging/options").has("max-size");
              if (!ends && !careful) {
                careless.add(service.getKey());
              }
            });
    assertThat(careless).isEmpty();
  }

  @Test
  void aServiceMayDoNoMoreInComposeThanInKubernetes() throws IOException {
    JsonNode services = Compose.read().get("services");
    for (String name : replicated()) {
      JsonNode service = services.get(name);
      assertThat(service.get("read_only").asBoolean()).as(name).isTrue();
      assertThat(service.get("cap_drop").toString()).as(name).isEqualTo("[\"ALL\"]");
      assertThat(service.get("security_opt").toString()).contains("no-new-privileges:true");
    }
    assertThat(Files.readString(ROOT.resolve("Dockerfile"))).contains("USER 10001:10001");
  }

  /** Management ports answer without a token, and the passwords are known. */
  @Test
  void everyPortIsPublishedOnThisMachineAlone() throws IOException {
    List<String> published = new ArrayList<>();
    Compose.read()
        .get("services")
        .forEach(service -> service.path("ports").forEach(port -> published.add(port.asText())));

    assertThat(published).isNotEmpty().allSatisfy(it -> assertThat(it).startsWith("127.0.0.1:"));
  }

  /** Before, a tag that was given by hand was gone with the broker's next start. */
  @Test
  void servicesMayReadTheManagementApiWhereItsAddressIsSet() throws Exception {
    JsonNode services = Compose.read().get("services");
    for (String name : replicated()) {
      JsonNode passed = services.get(name).get("environment").get("ONCEFLOW_BROKER_MANAGEMENT");
      assertThat(passed.isNull()).as("%s takes it over only if it is set", name).isTrue();
    }
    assertThat(services.at("/rabbitmq/environment/SERVICE_TAGS").asText())
        .isEqualTo("${ONCEFLOW_BROKER_MANAGEMENT:+management}");
    assertThat(tags("")).isEqualTo(Map.of("a", "[\"administrator\"]", "services", "[]"));
    assertThat(tags("management"))
        .isEqualTo(Map.of("a", "[\"administrator\"]", "services", "[\"management\"]"));
  }

  /** Of the users that the broker imports. */
  private static Map<String, String> tags(String ofServices) throws Exception {
    ProcessBuilder render =
        new ProcessBuilder(
            "bash", ROOT.resolve("deploy/rabbitmq/definitions.sh").toString(), "render");
    render.environment().put("SERVICE_TAGS", ofServices);
    render.environment().put("BROKER_ADMINISTRATOR", "a");
    List.of("BROKER_ADMINISTRATOR", "ORDER_SERVICE", "PAYMENT_SERVICE", "SHIPPING_SERVICE")
        .forEach(user -> render.environment().put(user + "_PASSWORD", "secret"));
    Process rendering = render.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, String> tags = new TreeMap<>();
    new ObjectMapper()
        .readTree(rendering.getInputStream())
        .get("users")
        .forEach(
            user -> {
              String name = user.get("name").asText();
              tags.put(SERVICES.contains(name) ? "services" : name, user.get("tags").toString());
            });
    return tags;
  }

  /**
   * Quarkus takes a trust store without a value for one that trusts nothing, and does not start.
   */
  @Test
  void noTrustStoreIsSetToNothing() throws IOException {
    JsonNode environment = Compose.read().at("/services/order-service/environment");
    String trusted = "QUARKUS_TLS_REDIS_TRUST_STORE_PEM_CERTS";
    assertThat(environment.has(trusted)).isTrue();
    assertThat(environment.get(trusted).isNull()).as("taken over only if it is set").isTrue();
  }

  /** From the simulation to Stripe and back is a matter of settings. */
  @Test
  void stripeIsChargedAtOnlyWhereItIsSet() throws IOException {
    JsonNode environment = Compose.read().at("/services/payment-service/environment");
    assertThat(environment.get("ONCEFLOW_GATEWAY").asText())
        .isEqualTo("${ONCEFLOW_GATEWAY:-simulated}");
    for (String setting : List.of("API_KEY", "WEBHOOK_SECRETS", "URL")) {
      JsonNode passed = environment.get("ONCEFLOW_STRIPE_" + setting);
      assertThat(passed.isNull()).as("%s is taken over only if it is set", setting).isTrue();
    }
  }

  @Test
  void theExampleNamesTheDoubleAsItIsStarted() throws IOException {
    String command = Compose.read().at("/services/stripe-double/command").toString();
    String port = found(".env.example", "ONCEFLOW_STRIPE_URL=http://stripe-double:(\\d+)");
    String secret = found(".env.example", "ONCEFLOW_STRIPE_WEBHOOK_SECRETS=(\\S+)");
    String launched =
        found(
            "launcher/src/main/java/io/onceflow/launcher/stack/DockerStack.java",
            "\"(whsec_[a-z_]+)\"");
    assertThat(command)
        .contains("0.0.0.0:" + port)
        .contains("http://payment-service:8081/webhooks/stripe")
        .contains("ONCEFLOW_STRIPE_WEBHOOK_SECRETS:-" + secret + "}");
    assertThat(launched).isEqualTo(secret);
  }

  @Test
  void theSecondOneOfAServiceDiffersFromTheFirstOnlyInHowItIsReached() throws IOException {
    JsonNode services = Compose.read().get("services");
    for (String name : SERVICES) {
      JsonNode second = services.get(name + "-2");
      second
          .properties()
          .forEach(
              it -> {
                if (!List.of("profiles", "networks").contains(it.getKey())) {
                  assertThat(it.getValue()).isEqualTo(services.get(name).get(it.getKey()));
                }
              });
      assertThat(second.at("/networks/default/aliases/0").asText()).isEqualTo(name);
    }
  }

  @Test
  void withLittleMemoryEveryServiceHasTheSameLimitAndTheOptionsForIt() {
    JsonNode small = Compose.readSmall().get("services");
    assertThat(small.properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrderElementsOf(replicated());
    JsonNode first = small.get(SERVICES.getFirst());
    assertThat(small).allSatisfy(service -> assertThat(service).isEqualTo(first));
    assertThat(first.get("memswap_limit")).isEqualTo(first.get("mem_limit"));
    assertThat(first.at("/environment/" + Compose.JAVA_OPTIONS).asText())
        .isEqualTo("@/app/" + JvmBounds.SMALL);
  }

  private static List<String> replicated() {
    return SERVICES.stream().flatMap(it -> Stream.of(it, it + "-2")).toList();
  }

  private static String found(String file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
    assertThat(matcher.find()).as("%s has %s", file, pattern).isTrue();
    return matcher.group(1);
  }
}
