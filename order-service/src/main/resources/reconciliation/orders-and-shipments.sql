-- Each order with the booking that it should have, and each return. While the saga is under way, anything may be.
SELECT id,
       id AS reference,
       CASE status WHEN 'CONFIRMED' THEN 'BOOKED'
                   WHEN 'RETURNED'  THEN 'BOOKED'
                   WHEN 'CANCELLED' THEN 'CANCELLED|ABSENT'
                   ELSE 'BOOKED|CANCELLED|ABSENT' END AS state,
       NULL::bigint AS amount,
       NULL::text AS currency,
       created_at AS at,
       created_at AS changed_at,
       NULL::text AS application,
       json_build_object('status', status, 'shipmentId', coalesce(shipment_id::text, ''),
                         'trackingNumber', coalesce(tracking_number, ''))::text AS evidence
FROM   orders
UNION ALL
SELECT id,
       id,
       CASE status WHEN 'ACCEPTED'  THEN 'BOOKED'
                   WHEN 'COMPLETED' THEN 'BOOKED'
                   WHEN 'REJECTED'  THEN 'CANCELLED|ABSENT'
                   ELSE 'BOOKED|CANCELLED|ABSENT' END,
       NULL,
       NULL,
       requested_at,
       requested_at,
       NULL,
       json_build_object('status', status, 'orderId', order_id, 'trackingNumber', coalesce(tracking_number, ''))::text
FROM   order_return
