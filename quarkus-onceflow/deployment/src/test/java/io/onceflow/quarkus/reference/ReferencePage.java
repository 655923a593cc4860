package io.onceflow.quarkus.reference;

import io.onceflow.quarkus.reference.MappingDoc.Key;
import java.util.List;
import java.util.stream.Collectors;

/** The page with all keys, in Markdown. */
final class ReferencePage {

  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from the sources. Regenerate it with:
      ./mvnw test -pl quarkus-onceflow/deployment -Dtest=ConfigurationReferenceTest -Donceflow.regenerate=true
      -->

      All keys of Onceflow, for `application.properties` or the environment. A key is read when the application starts, unless its
      section says that it is fixed when the application is built. Durations are written `10s`, `500ms`, or as in ISO 8601 (`PT10S`,
      `P30D`). A part of a key in quotation marks is a name that you choose.

      The broker's address is set as in Quarkus: `rabbitmq-host`, `rabbitmq-port`, `rabbitmq-username`, `rabbitmq-password` and
      `rabbitmq-virtual-host`; the database's by `quarkus.datasource.jdbc.url`, `quarkus.datasource.username` and
      `quarkus.datasource.password`; Redis', where a store uses it, by `quarkus.redis.hosts`.

      """;

  private final JavadocText text;

  private ReferencePage(List<MappingDoc> mappings) {
    text = new JavadocText(mappings);
  }

  static String of(List<MappingDoc> mappings) {
    ReferencePage page = new ReferencePage(mappings);
    return mappings.stream()
        .map(page::section)
        .collect(Collectors.joining("\n", HEAD + contents(mappings) + "\n", ""));
  }

  private static String contents(List<MappingDoc> mappings) {
    return mappings.stream()
        .map(MappingDoc::prefix)
        .map(prefix -> "- [`%s`](#%s)\n".formatted(prefix, anchor(prefix)))
        .collect(Collectors.joining());
  }

  /** As GitHub makes it of a heading. */
  static String anchor(String heading) {
    return heading.replaceAll("[^a-z0-9_-]", "");
  }

  private String section(MappingDoc mapping) {
    String phase = mapping.atBuildTime() ? "Fixed when the application is built.\n\n" : "";
    return mapping.keys().stream()
        .map(key -> key(key, mapping))
        .collect(
            Collectors.joining(
                "\n",
                "## `%s`\n\n%s\n\n%s"
                    .formatted(
                        mapping.prefix(), text.markdown(mapping.javadoc(), mapping.type()), phase),
                ""));
  }

  private String key(Key key, MappingDoc mapping) {
    String heading =
        key.name().equals(mapping.prefix()) ? "" : "### `%s`\n\n".formatted(key.name());
    return "%s%s · %s · `%s`\n\n%s\n%s"
        .formatted(
            heading,
            key.type(),
            defaultValue(key),
            key.environmentVariable(),
            text.markdown(key.javadoc(), key.group()),
            values(key));
  }

  private static String defaultValue(Key key) {
    return key.defaultValue()
        .map("default `%s`"::formatted)
        .orElse(key.required() ? "required" : "no default");
  }

  private String values(Key key) {
    return key.values().stream()
        .map(it -> "- `%s`: %s\n".formatted(it.name(), text.markdown(it.javadoc(), key.group())))
        .collect(Collectors.joining("", key.values().isEmpty() ? "" : "\n", ""));
  }
}
