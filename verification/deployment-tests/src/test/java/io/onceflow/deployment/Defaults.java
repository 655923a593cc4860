package io.onceflow.deployment;

import io.smallrye.config.WithDefault;

/** Defaults of the product's settings. */
final class Defaults {

  private Defaults() {}

  static String of(Class<?> config, String setting) {
    try {
      return config.getMethod(setting).getAnnotation(WithDefault.class).value();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
