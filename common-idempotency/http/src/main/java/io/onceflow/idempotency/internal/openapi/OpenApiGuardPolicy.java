package io.onceflow.idempotency.internal.openapi;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.OpenApiFilter.RunStage;
import io.smallrye.config.SmallRyeConfig;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;

/** Completes the descriptions of {@link OpenApiGuard} at start, when the configuration is known. */
@OpenApiFilter(stages = RunStage.RUNTIME_STARTUP)
public class OpenApiGuardPolicy implements OASFilter {

  /** Called by SmallRye OpenAPI. */
  public OpenApiGuardPolicy() {}

  @Override
  public void filterOpenAPI(OpenAPI document) {
    if (document.getPaths() == null || document.getPaths().getPathItems() == null) {
      return;
    }
    IdempotencyConfig config =
        ConfigProvider.getConfig()
            .unwrap(SmallRyeConfig.class)
            .getConfigMapping(IdempotencyConfig.class);
    document.getPaths().getPathItems().values().stream()
        .flatMap(path -> path.getOperations().values().stream())
        .filter(operation -> operation.getExtension(OpenApiPolicy.EXTENSION) instanceof Map)
        .forEach(operation -> complete(operation, config));
  }

  private static void complete(Operation operation, IdempotencyConfig config) {
    Map<?, ?> annotated = (Map<?, ?>) operation.getExtension(OpenApiPolicy.EXTENSION);
    operation.addExtension(OpenApiPolicy.EXTENSION, OpenApiPolicy.configured(annotated, config));
  }
}
