-- Bookings as we know them, of orders and of returns. What was rejected is in no carrier's book.
SELECT id,
       tracking_number AS reference,
       CASE status WHEN 'ARRANGED' THEN 'BOOKED' ELSE 'CANCELLED' END AS state,
       NULL::bigint AS amount,
       NULL::text AS currency,
       arranged_at AS at,
       coalesce(cancelled_at, arranged_at) AS changed_at,
       NULL::text AS application,
       json_build_object('orderId', order_id, 'shipmentId', id, 'customer', scope, 'idempotencyKey', step_key)::text AS evidence
FROM   shipment
WHERE  status <> 'REJECTED'
