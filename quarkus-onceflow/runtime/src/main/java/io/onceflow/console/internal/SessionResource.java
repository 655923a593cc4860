package io.onceflow.console.internal;

import io.onceflow.saga.internal.operators.CallingOperator;
import io.quarkus.security.AuthenticationException;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.PermitAll;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Tells the page who is signed in, and how to sign in and out. */
@Path("/console/session")
@PermitAll
@Tag(name = "Console")
@Produces(MediaType.APPLICATION_JSON)
public class SessionResource {

  private static final List<String> ROLES = List.of("viewer", "operator");

  private final CurrentIdentityAssociation caller;
  private final Instance<SignInLinks> links;

  SessionResource(CurrentIdentityAssociation caller, Instance<SignInLinks> links) {
    this.caller = caller;
    this.links = links;
  }

  /** A token or a session that is no longer good is as none: the page then offers to sign in. */
  @GET
  @Operation(
      summary = "Read who is signed in to the console",
      description = "Answered to everybody; without good credentials `signedIn` is false.")
  @APIResponse(responseCode = "200", description = "Who it is, and what the page needs of that")
  public Uni<ConsoleSession> session() {
    return caller
        .getDeferredIdentity()
        .map(this::of)
        .onFailure(AuthenticationException.class::isInstance)
        .recoverWithItem(() -> ConsoleSession.nobody(signInUrl()));
  }

  private ConsoleSession of(SecurityIdentity identity) {
    if (identity.isAnonymous()) {
      return ConsoleSession.nobody(signInUrl());
    }
    String name = CallingOperator.of(identity).name();
    List<String> roles = ROLES.stream().filter(identity::hasRole).toList();
    String csrf = identity.getAttribute(SignInLinks.CSRF_TOKEN);
    return csrf == null
        ? ConsoleSession.bearer(name, roles, signInUrl())
        : ConsoleSession.cookie(name, roles, csrf, links.get());
  }

  private @Nullable String signInUrl() {
    return links.stream().flatMap(it -> it.signIn().stream()).findFirst().orElse(null);
  }
}
