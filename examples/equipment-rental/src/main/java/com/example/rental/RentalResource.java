package com.example.rental;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SignalOutcome;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Path("/rentals")
public class RentalResource {

  private final Sagas sagas;

  RentalResource(Sagas sagas) {
    this.sagas = sagas;
  }

  /**
   * @param address where it is delivered; null where the customer fetches it
   */
  public record RentalRequest(
      String customer, List<String> skus, long cents, Instant returnAt, @Nullable String address) {}

  @POST
  @Idempotent
  @Transactional
  public Response rent(RentalRequest request) {
    Rental rental = new Rental();
    rental.id = UUID.randomUUID();
    rental.customer = request.customer();
    rental.skus = request.skus();
    rental.cents = request.cents();
    rental.returnAt = request.returnAt();
    rental.address = request.address();
    rental.status = "REQUESTED";
    rental.persist();
    sagas.start(RentEquipment.class, rental);
    return Response.created(URI.create("/rentals/" + rental.id)).entity(rental).build();
  }

  /** The customer has signed; the saga may wait for it already, or will. It counts once. */
  @POST
  @Path("/{id}/contract")
  @Transactional
  public SignalOutcome sign(UUID id, ContractSigned contract) {
    return sagas
        .signal(RentEquipment.class, id, "contract-signed", contract, "contract of " + id)
        .orElseThrow(NotFoundException::new);
  }

  @GET
  @Path("/{id}")
  public Rental read(UUID id) {
    return Rental.<Rental>findByIdOptional(id).orElseThrow(NotFoundException::new);
  }

  /** What has been done of it, and what it waits for. */
  @GET
  @Path("/{id}/saga")
  @Transactional
  public SagaView saga(UUID id) {
    return sagas.about(RentEquipment.class, id).orElseThrow(NotFoundException::new);
  }

  /** Without users, all callers share one scope of keys. */
  @ApplicationScoped
  static class SharedScope implements ScopeResolver {
    @Override
    public String scope() {
      return "shared";
    }
  }
}
