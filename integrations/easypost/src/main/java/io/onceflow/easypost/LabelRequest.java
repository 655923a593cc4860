package io.onceflow.easypost;

import java.util.Objects;

/**
 * What a label is bought for.
 *
 * @param subject what is shipped, such as an order's id; kept with the label, not sent to EasyPost
 * @param customer where to; of a return, where from
 * @param isReturn whether the parcel goes from the customer to the configured sender
 */
public record LabelRequest(String subject, Recipient customer, boolean isReturn) {

  /**
   * @throws NullPointerException when a part is missing
   */
  public LabelRequest {
    Objects.requireNonNull(subject, "subject is missing");
    Objects.requireNonNull(customer, "customer is missing");
  }

  /**
   * The customer's address.
   *
   * @param country ISO 3166-1 alpha-2, two capital letters
   */
  public record Recipient(String name, String street, String city, String zip, String country) {}
}
