package io.onceflow.payment;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.launcher.testing.TopologyLaws;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class TopologyTest extends TopologyLaws {

  TopologyTest() {
    super("payment-service");
  }
}
