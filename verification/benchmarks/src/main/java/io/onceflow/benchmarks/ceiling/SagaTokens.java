package io.onceflow.benchmarks.ceiling;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds UUIDs in texts, with dashes or without, in lower case or upper. */
final class SagaTokens {

  /** Not within longer hexadecimal numbers, such as hashes. */
  static final Pattern UUIDS =
      Pattern.compile(
          "(?<![0-9a-fA-F])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
              + "|[0-9a-fA-F]{32})(?![0-9a-fA-F])");

  private SagaTokens() {}

  /** All of them, as 32 digits in lower case. */
  static Set<String> in(List<@Nullable String> texts) {
    Set<String> found = new HashSet<>();
    for (String text : texts) {
      if (text != null) {
        Matcher uuid = UUIDS.matcher(text);
        while (uuid.find()) {
          found.add(plain(uuid.group()));
        }
      }
    }
    return found;
  }

  /** 32 digits in lower case. */
  static String plain(String uuid) {
    return uuid.replace("-", "").toLowerCase(Locale.ROOT);
  }
}
