package com.example.points;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes records as another application would. */
final class Producer implements AutoCloseable {

  private final KafkaProducer<String, String> records;

  Producer(String address) {
    records =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address), new StringSerializer(), new StringSerializer());
  }

  /** Writes a record under an idempotency key, which may be absent. */
  void send(String topic, String idempotencyKey, String value) {
    List<Header> headers =
        Stream.of(idempotencyKey)
            .filter(key -> !key.isEmpty())
            .<Header>map(
                key -> new RecordHeader("x-idempotency-key", key.getBytes(StandardCharsets.UTF_8)))
            .toList();
    records.send(new ProducerRecord<>(topic, null, idempotencyKey, value, headers));
  }

  void flush() {
    records.flush();
  }

  @Override
  public void close() {
    records.close();
  }
}
