package io.onceflow.benchmarks.history;

import java.util.List;

/**
 * A table that remembers, and the statement that fills it.
 *
 * @param database where it is
 * @param name the table
 * @param insert its parameters are the number of sagas, what their keys are made from, and when the
 *     newest ended
 */
record OldTable(String database, String name, String insert) {

  /** Ids start with their time, as the services' do; each saga is older than the one before. */
  private static final String SAGAS =
      """
      (SELECT n,
              md5(seed || n)::uuid::text AS root_key,
              (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7aaa8' || lpad(to_hex(n), 15, '0'))::uuid AS id,
              (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7bbb8' || lpad(to_hex(n), 15, '0'))::uuid AS subject,
              at
       FROM   (SELECT n, seed, newest - interval '12 h' * (n::float8 / last) AS at
               FROM   (SELECT ?::bigint AS last, ?::text AS seed, ?::timestamptz AS newest) AS series, generate_series(1, last) AS n) AS moments) AS saga
      """;

  private static final String INBOX =
      """
      INSERT INTO inbox_message (scope, step_key, fingerprint, status, outcome, received_at, completed_at)
      SELECT 'old-' || n %% 1000, root_key || ':' || step, sha256((root_key || step)::bytea), 'COMPLETED',
             json_build_object('type', type, 'payload', json_build_object('orderId', subject, 'reference', 'ch_' || md5(root_key))),
             at, at
      FROM   %s, (VALUES %s) AS steps (step, type)
      """;

  /** All of them, the largest first. */
  static final List<OldTable> ALL =
      List.of(
          new OldTable(
              "orders",
              "saga_journal",
              """
              INSERT INTO saga_journal (saga_id, revision, at, entries)
              SELECT id, revision, at, entries::json
              FROM   %s,
                     (VALUES (1, '[{"event":"saga-started","detail":"place-order v1"},'
                                 '{"event":"command-sent","step":"process-payment"}]'),
                             (2, '[{"event":"succeeded","step":"process-payment","detail":"PaymentProcessed"},'
                                 '{"event":"command-sent","step":"arrange-shipment"}]'),
                             (3, '[{"event":"succeeded","step":"arrange-shipment","detail":"ShipmentArranged"},'
                                 '{"event":"pivot-passed","step":"confirm-order"},{"event":"saga-completed"}]'))
                     AS writes (revision, entries)
              """
                  .formatted(SAGAS)),
          new OldTable(
              "payments",
              "inbox_message",
              INBOX.formatted(SAGAS, "('process-payment', 'PaymentProcessed')")),
          new OldTable(
              "shipping",
              "inbox_message",
              INBOX.formatted(SAGAS, "('arrange-shipment', 'ShipmentArranged')")),
          new OldTable(
              "orders",
              "idempotency_record",
              """
              INSERT INTO idempotency_record
                     (scope, key, fingerprint, operation, status, response_status, response_headers, response_body,
                      created_at, completed_at, expires_at)
              SELECT 'old-' || n %% 1000, root_key, sha256(root_key::bytea), 'OrderResource.place', 'COMPLETED', 201,
                     json_build_object('Location', ARRAY['/orders/' || subject], 'Content-Type', ARRAY['application/json']),
                     ('{"id":"' || subject || '","status":"PENDING","currency":"EUR","totalAmount":2500,'
                      || '"items":[{"sku":"BOOK-42","quantity":2,"unitAmount":1250}],"shippingAddress":{"name":"Ada Lovelace",'
                      || '"line1":"12 St","city":"London","postalCode":"SW1Y 4JH","country":"GB"}}')::bytea,
                     at, at, at + interval '7 days'
              FROM   %s
              """
                  .formatted(SAGAS)),
          new OldTable(
              "orders",
              "saga_instance",
              """
              INSERT INTO saga_instance
                     (id, definition, version, subject_id, scope, root_key, origin, traceparent, status, revision, started_at, ended_at, steps)
              SELECT id, 'place-order', 1, subject, 'old-' || n %% 1000, root_key, 'order-service/place-order',
                     '00-' || md5(root_key) || '-' || left(md5(subject::text), 16) || '-01', 'COMPLETED', 3, at, at,
                     (SELECT json_agg(json_build_object('name', step, 'status', 'SUCCEEDED', 'attempts', 1,
                                                        'sentAt', to_json(at), 'repliedAt', to_json(at)) ORDER BY position)
                      FROM   (VALUES (0, 'process-payment'), (1, 'arrange-shipment'), (2, 'confirm-order'))
                             AS steps (position, step))
              FROM   %s
              """
                  .formatted(SAGAS)));
}
