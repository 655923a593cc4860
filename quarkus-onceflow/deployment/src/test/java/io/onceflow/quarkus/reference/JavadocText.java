package io.onceflow.quarkus.reference;

import io.smallrye.config.common.utils.StringUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Javadoc as Markdown. Code, links and paragraphs are all that the mappings use. */
final class JavadocText {

  private static final Pattern CODE = Pattern.compile("\\{@code ((?:[^{}]|\\{[^{}]*})+)}");
  private static final Pattern LINK = Pattern.compile("\\{@link (\\w*)#?(\\w*)[^}]*}");

  private final Map<String, String> keys = new HashMap<>();

  /** Knows the keys of these mappings, which links lead to. */
  JavadocText(List<MappingDoc> mappings) {
    mappings.stream()
        .flatMap(mapping -> mapping.keys().stream())
        .forEach(key -> keys.put(key.group() + "#" + key.method(), key.name()));
  }

  /**
   * @param javadoc as the compiler gives it
   * @param type the simple name of the type that it belongs to
   */
  String markdown(String javadoc, String type) {
    return Stream.of(javadoc.split("<p>"))
        .map(paragraph -> paragraph.strip().replaceAll("\\s*\\n\\s*", " "))
        .map(paragraph -> LINK.matcher(paragraph).replaceAll(link -> linked(link, type)))
        .map(paragraph -> CODE.matcher(paragraph).replaceAll("`$1`"))
        .collect(Collectors.joining("\n\n"));
  }

  private String linked(MatchResult link, String type) {
    String owner = link.group(1).isEmpty() ? type : link.group(1);
    String method = link.group(2);
    String key = keys.getOrDefault(owner + "#" + method, StringUtil.skewer(method));
    String target =
        keys.containsKey(owner + "#" + method)
            ? "[`%s`](#%s)".formatted(key, ReferencePage.anchor(key))
            : "`" + (method.isEmpty() ? owner : key) + "`";
    return Matcher.quoteReplacement(target);
  }
}
