package io.onceflow.deployment;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;

/**
 * Reads Kubernetes' own objects into the classes that the project generates from its published
 * OpenAPI schemas. Each refuses a field that it does not know and misses one that it requires;
 * reading it after that refuses a text where a number should be.
 */
final class CoreSchemas {

  private static final Map<String, Class<?>> CLASSES =
      Map.ofEntries(
          Map.entry("v1 Namespace", V1Namespace.class),
          Map.entry("v1 ConfigMap", V1ConfigMap.class),
          Map.entry("v1 Secret", V1Secret.class),
          Map.entry("v1 Service", V1Service.class),
          Map.entry("v1 ServiceAccount", V1ServiceAccount.class),
          Map.entry("apps/v1 Deployment", V1Deployment.class),
          Map.entry("apps/v1 StatefulSet", V1StatefulSet.class),
          Map.entry("batch/v1 Job", V1Job.class),
          Map.entry("policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class),
          Map.entry("networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class),
          Map.entry("autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler.class));

  static {
    // The classes share a reader that the first of these makes.
    new JSON();
  }

  private CoreSchemas() {}

  static boolean knows(Manifest manifest) {
    return CLASSES.containsKey(type(manifest));
  }

  static Optional<String> problem(Manifest manifest) {
    return problem(
        manifest.json().toString(), Optional.ofNullable(CLASSES.get(type(manifest))).orElseThrow());
  }

  /** Of an object of any kind, since all have the same. */
  static Optional<String> problemOfMetadata(Manifest manifest) {
    return problem(manifest.at("/metadata").toString(), V1ObjectMeta.class);
  }

  private static String type(Manifest manifest) {
    return "%s %s".formatted(manifest.apiVersion(), manifest.kind());
  }

  private static Optional<String> problem(String json, Class<?> model) {
    try {
      model
          .getMethod("validateJsonElement", JsonElement.class)
          .invoke(null, JsonParser.parseString(json));
      JSON.deserialize(json, model);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return Optional.of(e.getCause().getMessage());
    } catch (RuntimeException e) {
      return Optional.of(e.toString());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
