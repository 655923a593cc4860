package io.onceflow.benchmarks.ceiling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A recorded value in which ids are replaced: every UUID by the round's own, every number that the
 * database gave out by the one that it gives out in the round.
 */
final class ParameterTemplate {

  /**
   * A number of a sequence that the recording has moved far away, so that it is known when met.
   * Longer ones are hashes or times.
   */
  static final long GIVEN_NUMBERS_FROM = 727_272_727_000_000L;

  private static final Pattern HOLES =
      Pattern.compile(
          SagaTokens.UUIDS.pattern() + "|(?<given>(?<![0-9])727272727[0-9]{6}(?![0-9]))");

  private static final int DIGITS = 32;

  private interface Part {
    String text(ReplayRound round);
  }

  private final List<Part> parts = new ArrayList<>();

  /**
   * @param recorded the value as it was logged
   * @param ids where new ids are had
   */
  ParameterTemplate(String recorded, Ids ids) {
    Matcher hole = HOLES.matcher(recorded);
    int end = 0;
    while (hole.find()) {
      String before = recorded.substring(end, hole.start());
      parts.add(round -> before);
      if (hole.group("given") != null) {
        parts.add(round -> Long.toString(round.givenNumber()));
      } else {
        parts.add(id(hole.group(), ids));
      }
      end = hole.end();
    }
    String rest = recorded.substring(end);
    parts.add(round -> rest);
  }

  private static Part id(String recorded, Ids ids) {
    int position = ids.position(SagaTokens.plain(recorded));
    if (recorded.length() > DIGITS) {
      return round -> round.id(position);
    }
    boolean isUpper = !recorded.equals(recorded.toLowerCase(Locale.ROOT));
    return round -> {
      String plain = SagaTokens.plain(round.id(position));
      return isUpper ? plain.toUpperCase(Locale.ROOT) : plain;
    };
  }

  /** The value for a round. */
  String text(ReplayRound round) {
    if (parts.size() == 1) {
      return parts.getFirst().text(round);
    }
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.text(round)));
    return text.toString();
  }
}
