package io.onceflow.participants.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A service of the application, in the shape of its JSON.
 *
 * @param url where it is; null for this service
 * @param reachable whether it has told how it is
 * @param why it has not; null where it has
 * @param participant how it is; null where it has not told
 */
@Schema(name = "Service")
record ServiceView(
    String name,
    @Nullable URI url,
    boolean reachable,
    @Nullable String why,
    @Schema(implementation = ParticipantView.class) @Nullable JsonNode participant) {}
