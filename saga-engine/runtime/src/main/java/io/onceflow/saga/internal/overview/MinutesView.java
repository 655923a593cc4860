package io.onceflow.saga.internal.overview;

import io.onceflow.saga.internal.store.minute.MinuteSeries;
import io.onceflow.saga.internal.store.minute.SagaMinutes;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What sagas did over the last hours, in spans of the same length. The last span is not over.
 *
 * @param from the beginning of the first span
 * @param until when it was read; each replica adds what it counted once a minute
 * @param spanMinutes how long a span is
 * @param points by span and definition; there is none for a span without transitions
 * @param failures by span and step; there is none where nothing failed
 * @param backlog by span, the most that waited
 */
@Schema(name = "SagaMinutes")
record MinutesView(
    Instant from,
    Instant until,
    int spanMinutes,
    List<MinuteSeries.Point> points,
    List<MinuteSeries.Failures> failures,
    List<SagaMinutes.Backlog> backlog) {}
