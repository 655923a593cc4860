package io.onceflow.benchmarks.history;

import java.util.List;

/**
 * A table that remembers, and the statement that fills it.
 *
 * @param database where it is
 * @param name the table
 * @param insert has the number of sagas as its only parameter
 */
record OldTable(String database, String name, String insert) {

  /** Ids begin with their time, as the services' do; each saga is older than the one before. */
  private static final String SAGAS =
      """
      (SELECT n,
              md5('old' || n)::uuid::text AS root_key,
              (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7aaa8' || lpad(to_hex(n), 15, '0'))::uuid AS id,
              (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7bbb8' || lpad(to_hex(n), 15, '0'))::uuid AS subject,
              at
       FROM   (SELECT n, now() - interval '12 h' * (n::float8 / series.last) AS at
               FROM   (SELECT ?::bigint AS last) AS series, generate_series(1, last) AS n) AS moments) AS saga
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
              "saga_history",
              """
              INSERT INTO saga_history (saga_id, revision, position, at, event, step, detail)
              SELECT id, revision, position, at, event, step, detail
              FROM   %s,
                     (VALUES (1, 0, 'saga-started', NULL, 'place-order v1'), (1, 1, 'command-sent', 'process-payment', NULL),
                             (2, 0, 'succeeded', 'process-payment', 'PaymentProcessed'),
                             (2, 1, 'command-sent', 'arrange-shipment', NULL),
                             (3, 0, 'succeeded', 'arrange-shipment', 'ShipmentArranged'),
                             (3, 1, 'pivot-passed', 'confirm-order', NULL), (3, 2, 'saga-completed', NULL, NULL))
                     AS lines (revision, position, event, step, detail)
              """
                  .formatted(SAGAS)),
          new OldTable(
              "orders",
              "inbox_message",
              INBOX.formatted(
                  SAGAS,
                  "('record-payment', 'PaymentProcessed'), ('record-shipment', 'ShipmentArranged')")),
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
                     (id, definition, version, subject_id, scope, root_key, traceparent, status, revision, started_at, ended_at)
              SELECT id, 'place-order', 1, subject, 'old-' || n %% 1000, root_key,
                     '00-' || md5(root_key) || '-' || left(md5(subject::text), 16) || '-01', 'COMPLETED', 3, at, at
              FROM   %s
              """
                  .formatted(SAGAS)),
          new OldTable(
              "orders",
              "saga_step",
              """
              INSERT INTO saga_step
                     (saga_id, position, name, status, attempts, sent_at, replied_at, compensation_attempts)
              SELECT id, position, step, 'SUCCEEDED', 1, at, at, 0
              FROM   %s,
                     (VALUES (0, 'process-payment'), (1, 'arrange-shipment'), (2, 'confirm-order')) AS steps (position, step)
              """
                  .formatted(SAGAS)));
}
