package io.onceflow.easypost;

import java.util.HashMap;
import java.util.Map;

/** A shipment as it is asked for. The client library wants maps. */
final class EasyPostShipmentForm {

  private final EasyPostConfig.Parcel parcel;
  private final Map<String, Object> sender;

  EasyPostShipmentForm(EasyPostConfig config) {
    this.parcel = config.parcel();
    this.sender =
        address(
            config
                .sender()
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "EasyPost needs onceflow.easypost.sender: name, street, city, zip and"
                                + " country")));
  }

  private static Map<String, Object> address(EasyPostConfig.Sender sender) {
    Map<String, Object> address =
        address(sender.name(), sender.street(), sender.city(), sender.zip(), sender.country());
    sender.state().ifPresent(state -> address.put("state", state));
    sender.phone().ifPresent(phone -> address.put("phone", phone));
    return address;
  }

  private static Map<String, Object> address(
      String name, String street, String city, String zip, String country) {
    Map<String, Object> address = new HashMap<>();
    address.put("name", name);
    address.put("street1", street);
    address.put("city", city);
    address.put("zip", zip);
    address.put("country", country);
    return address;
  }

  /** A return has the same addresses: EasyPost ships it the other way round. */
  Map<String, Object> of(String reference, LabelRequest request) {
    LabelRequest.Recipient to = request.customer();
    Map<String, Object> shipment = new HashMap<>();
    shipment.put("reference", reference);
    shipment.put("to_address", address(to.name(), to.street(), to.city(), to.zip(), to.country()));
    shipment.put("from_address", sender);
    shipment.put("is_return", request.isReturn());
    shipment.put("parcel", parcel());
    return shipment;
  }

  private Map<String, Object> parcel() {
    Map<String, Object> of = new HashMap<>();
    of.put("weight", parcel.weight());
    parcel.length().ifPresent(length -> of.put("length", length));
    parcel.width().ifPresent(width -> of.put("width", width));
    parcel.height().ifPresent(height -> of.put("height", height));
    return of;
  }
}
