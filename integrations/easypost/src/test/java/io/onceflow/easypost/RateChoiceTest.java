package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;

import com.easypost.Constants;
import com.easypost.model.Rate;
import com.easypost.model.Shipment;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rate of a shipment is bought. */
class RateChoiceTest {

  private static final String RATE = "{\"service\":\"%s\",\"rate\":%s,\"currency\":\"%s\"}";

  private static Optional<String> choice(String senderCountry, String... rates) {
    EasyPostConfig config =
        TestEasyPostConfig.of("https://localhost", Map.of("sender.country", senderCountry));
    Shipment shipment =
        Constants.Http.GSON.fromJson(
            "{\"rates\":[%s]}".formatted(String.join(",", rates)), Shipment.class);
    return new RateChoice(config).of(shipment).map(Rate::getService);
  }

  private static String rate(String service, String price, String currency) {
    return RATE.formatted(service, price, currency);
  }

  @Test
  void isTheCheapest() {
    assertThat(choice("US", rate("Express", "28.00", "USD"), rate("Ground", "7.58", "USD")))
        .contains("Ground");
    assertThat(choice("US")).isEmpty();
  }

  /** 1500 yen are less than 20 dollars, and 9 pounds are more than 10 dollars. */
  @ParameterizedTest
  @CsvSource({"US, Ground", "GB, Letter", "JP, Parcel"})
  void isTheCheapestOfThoseInTheSendersCurrency(String country, String service) {
    assertThat(
            choice(
                country,
                rate("Letter", "9.00", "GBP"),
                rate("Express", "20.00", "USD"),
                rate("Ground", "10.00", "USD"),
                rate("Parcel", "1500", "JPY")))
        .contains(service);
  }

  /** XX is no country, and Antarctica has no currency. */
  @ParameterizedTest
  @ValueSource(strings = {"NO", "XX", "AQ"})
  void isTheCheapestOfTheCurrencyThatMostHave(String country) {
    assertThat(
            choice(
                country,
                rate("Letter", "9.00", "GBP"),
                rate("Express", "20.00", "USD"),
                rate("Ground", "10.00", "USD")))
        .contains("Ground");
  }
}
