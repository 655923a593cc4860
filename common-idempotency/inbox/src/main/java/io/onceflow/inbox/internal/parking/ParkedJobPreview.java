package io.onceflow.inbox.internal.parking;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a job on a group of parked messages would come to, in the shape of its JSON. Nothing has
 * changed.
 *
 * @param dryRun true
 * @param count the messages of the group
 * @param tooOld how many of them are refused since they were parked too long ago
 * @param waiting how many of them are retried automatically as well
 * @param samples the newest messages, of which was asked whether anything speaks against it
 */
public record ParkedJobPreview(
    boolean dryRun, int count, int tooOld, int waiting, List<SampledMessage> samples) {

  /**
   * A message that was asked about.
   *
   * @param outcome the word for why it would stay parked; null when nothing speaks against it
   * @param why the same in a sentence
   */
  public record SampledMessage(UUID message, @Nullable String outcome, @Nullable String why) {}
}
