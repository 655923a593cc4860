-- Charges as we know them. What was declined is in no gateway's book.
SELECT id,
       gateway_reference AS reference,
       CASE status WHEN 'PROCESSED' THEN 'CHARGED' ELSE 'REFUNDED' END AS state,
       amount,
       currency,
       processed_at AS at,
       coalesce(refunded_at, processed_at) AS changed_at,
       NULL::text AS application,
       json_build_object('orderId', order_id, 'paymentId', id, 'customer', scope, 'idempotencyKey', step_key)::text AS evidence
FROM   payment
WHERE  status <> 'DECLINED'
