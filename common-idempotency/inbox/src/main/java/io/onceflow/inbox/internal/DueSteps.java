package io.onceflow.inbox.internal;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Which started steps are to be taken over, of those whose lease is over: of one type of command,
 * of a few scopes a few each, so that the steps of one scope do not hide those of another.
 *
 * @param type of the commands
 * @param before scopes before this one, the last of them first, in the order of the bytes of their
 *     names; null for all
 * @param without scopes that are skipped
 * @param scopes how many at most
 * @param perScope how many steps of each, those whose lease ended longest ago
 */
public record DueSteps(
    String type, @Nullable String before, Collection<String> without, int scopes, int perScope) {}
