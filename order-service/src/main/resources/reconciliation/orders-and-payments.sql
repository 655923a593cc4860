-- Each order with the charge that it should have. While its saga is under way, anything may be.
SELECT id,
       id AS reference,
       CASE status WHEN 'CONFIRMED' THEN 'CHARGED'
                   WHEN 'RETURNED'  THEN 'REFUNDED'
                   WHEN 'CANCELLED' THEN 'REFUNDED|ABSENT'
                   ELSE 'CHARGED|REFUNDED|ABSENT' END AS state,
       total_amount AS amount,
       currency,
       created_at AS at,
       created_at AS changed_at,
       NULL::text AS application,
       json_build_object('status', status, 'paymentId', coalesce(payment_id::text, ''),
                         'gatewayReference', coalesce(gateway_reference, ''))::text AS evidence
FROM   orders
