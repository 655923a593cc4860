package io.onceflow.systemtests;

/**
 * One thing that a service can be asked for.
 *
 * @param service of its module
 * @param method of HTTP
 * @param path with its parameters' names in braces, such as {@code /orders/{id}}
 */
record Endpoint(String service, String method, String path) {

  /** Of a template as JAX-RS has it, in which a parameter may say what it looks like. */
  static Endpoint of(String service, String method, String template) {
    String path = ("/" + template).replaceAll("/+", "/").replaceAll("\\{(\\w+):[^}]*}", "{$1}");
    return new Endpoint(service, method, path.length() > 1 ? path.replaceAll("/$", "") : path);
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(service, method, path);
  }
}
