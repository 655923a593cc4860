package io.onceflow.saga.internal.overview;

import io.onceflow.saga.internal.store.minute.MinuteSeries;
import io.onceflow.saga.internal.store.minute.SagaMinutes;
import io.onceflow.saga.internal.store.minute.StepSeries;
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
 * @param stepsFrom since when the steps are counted: those of more than a day are not read
 * @param steps how many entered each step since then, by outcome, in the order of its definition
 * @param stepDurations by span and step, since then; there is none where no step was answered
 * @param backlog by span, the most that waited
 */
@Schema(name = "SagaMinutes")
record MinutesView(
    Instant from,
    Instant until,
    int spanMinutes,
    List<MinuteSeries.Point> points,
    List<StepSeries.Failures> failures,
    Instant stepsFrom,
    List<StepSeries.Funnel> steps,
    List<StepSeries.Durations> stepDurations,
    List<SagaMinutes.Backlog> backlog) {}
