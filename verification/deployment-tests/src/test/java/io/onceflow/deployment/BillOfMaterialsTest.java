package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The images copy a bill of materials, which the build makes of services that it does not deploy.
 */
class BillOfMaterialsTest {

  @Test
  void isMadeOfEveryServiceThoughNoneIsDeployed() {
    assertThat(text("Dockerfile")).contains("/target/bom.json");
    for (String service : List.of("order-service", "payment-service", "shipping-service")) {
      assertThat(text(service + "/pom.xml"))
          .contains("<maven.deploy.skip>true<", "<artifactId>cyclonedx-maven-plugin<");
    }
    // By default the plugin leaves out what is not deployed.
    assertThat(text("pom.xml")).contains("<skipNotDeployed>false<");
  }

  private static String text(String file) {
    return Overlay.read(Overlay.root().resolve(file));
  }
}
