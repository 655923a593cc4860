package io.onceflow.parked.internal;

import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.parking.ParkedJob;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAct;
import io.onceflow.inbox.internal.parking.ParkedJobPreview;
import io.onceflow.inbox.internal.parking.ParkedJobRefused;
import io.onceflow.inbox.internal.parking.ParkedJobs;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lets operators redrive or delete all parked messages of a group, as a job of the service. */
@Path("/parked-messages/jobs")
@Tag(name = "Parked messages")
@Produces(MediaType.APPLICATION_JSON)
public class ParkedJobResource {

  private static final int LARGEST_PAGE = 100;

  private final ParkedJobs jobs;
  private final RedriveService redriving;
  private final SecurityIdentity caller;

  ParkedJobResource(ParkedJobs jobs, RedriveService redriving, SecurityIdentity caller) {
    this.jobs = jobs;
    this.redriving = redriving;
    this.caller = caller;
  }

  /** Starts a job, or previews it. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Redrive or delete all parked messages of a group",
      description =
          "A dry run unless `dryRun` is false: counts them, and asks of the newest whether their"
              + " sagas still wait for them. Else the messages that the group has now are marked,"
              + " and any replica handles them at the job's rate, the newest first, each as by"
              + " itself: one that still cannot be handled stays parked. Their sagas are not asked"
              + " again. A job survives restarts.")
  @APIResponse(responseCode = "200", description = "Dry run: the expected result")
  @APIResponse(responseCode = "201", description = "Started")
  @APIResponse(responseCode = "404", description = "There is no such group")
  @APIResponse(responseCode = "409", description = "A job of the same group is not finished")
  public Response start(@NotNull @Valid NewParkedJob job) throws SQLException {
    Operator operator = CallingOperator.of(caller);
    if (job.isDry()) {
      ParkedJobPreview preview =
          jobs.preview(job.action(), job.group(), redriving, operator)
              .orElseThrow(() -> noGroup(job.group()));
      return Response.ok(preview).build();
    }
    String reason = job.reason();
    if (reason == null || reason.isBlank()) {
      throw new BadRequestException("reason must be given, unless it is a dry run");
    }
    try {
      ParkedJob started =
          jobs.start(
                  new ParkedJobs.Asked(
                      job.action(), job.group(), reason, job.rate(), operator.name()))
              .orElseThrow(() -> noGroup(job.group()));
      return Response.status(Response.Status.CREATED).entity(started).build();
    } catch (ParkedJobRefused e) {
      throw refused(e);
    }
  }

  /** A caller without a body is told so, if it may start one at all. */
  @POST
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response start() {
    throw new BadRequestException("A job has a body with its action and its group.");
  }

  /** The newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "List redrives and deletions of groups, newest first",
      description = "With how far each has come. For viewers `reason` is null.")
  public List<ParkedJob> newest(
      @QueryParam("limit") @DefaultValue("20") @Min(1) @Max(LARGEST_PAGE) int limit)
      throws SQLException {
    boolean isOperator = Roles.seesPersonalData(caller);
    return jobs.newest(limit).stream().map(it -> isOperator ? it : it.withoutReason()).toList();
  }

  /** Pauses, resumes or stops a job. */
  @POST
  @Path("/{id}/{act: pause|resume|stop}")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Pause, resume or stop a redrive or deletion of a group",
      description = "What it has done stays done. A message at hand is finished.")
  @APIResponse(responseCode = "200", description = "As it is now")
  @APIResponse(responseCode = "404", description = "There is no such job")
  @APIResponse(responseCode = "409", description = "It has ended, or is so already")
  public ParkedJob change(
      @PathParam("id") UUID id,
      @PathParam("act") String act,
      @Parameter(description = "Kept in the audit log.")
          @QueryParam("reason")
          @Size(max = 200, message = "must be at most 200 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          @Nullable String reason)
      throws SQLException {
    JobAct what = JobAct.valueOf(act.toUpperCase(Locale.ROOT));
    try {
      return jobs.change(id, what, CallingOperator.of(caller).name(), reason)
          .orElseThrow(() -> new NotFoundException("There is no job %s.".formatted(id)));
    } catch (ParkedJobRefused e) {
      throw refused(e);
    }
  }

  private static NotFoundException noGroup(String fingerprint) {
    return new NotFoundException("No messages of group %s are parked.".formatted(fingerprint));
  }

  private static HttpProblem refused(ParkedJobRefused why) {
    return HttpProblem.builder()
        .withTitle("Not possible for this job")
        .withStatus(Response.Status.CONFLICT)
        .withDetail(why.getMessage())
        .build();
  }
}
