package io.onceflow.idempotency;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Typed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Many equal requests run once, whichever requests share the commit. */
@QuarkusTest
@Typed(SharedManyClientsTest.class) // not one of the class that it extends as well
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(120)
@Tag("nightly")
class SharedManyClientsTest extends GuardManyClientsTest {

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }
}
