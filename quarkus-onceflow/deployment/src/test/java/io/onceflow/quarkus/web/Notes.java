package io.onceflow.quarkus.web;

import jakarta.annotation.security.PermitAll;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.UUID;

/** A resource as any application has one; it names nothing of the product. */
@Path("/notes")
@PermitAll
public class Notes {

  /** A body. */
  public record Note(@Size(max = 2) List<String> lines, int priority) {}

  @POST
  public int write(@NotNull @Valid Note note) {
    return note.lines().size();
  }

  @POST
  @Path("/text")
  @Consumes("text/plain")
  public int write(String text) {
    return text.length();
  }

  @POST
  @Path("/first-byte")
  @Consumes("text/plain")
  public int firstByte(InputStream body) throws IOException {
    return body.read();
  }

  @GET
  public String read(@QueryParam("id") @NotNull UUID id) {
    return id.toString();
  }
}
