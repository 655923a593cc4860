package io.onceflow.saga.internal.store.view;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What open sagas fail of.
 *
 * @param complete false where a definition has more open sagas than are read. Groups and counts are
 *     then of those whose timers are the latest: quarantined sagas first, then stuck ones
 * @param groups the largest first
 */
@Schema(name = "GroupsOfFailingSagas")
public record FailureGroups(boolean complete, List<FailureGroup> groups) {}
