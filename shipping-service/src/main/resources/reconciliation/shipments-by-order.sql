-- The same by the orders and returns that were booked, for the services that asked for it. One whose booking was taken
-- back may know of none.
SELECT id,
       coalesce(return_id, order_id) AS reference,
       CASE status WHEN 'ARRANGED' THEN 'BOOKED' ELSE 'CANCELLED|ABSENT' END AS state,
       NULL::bigint AS amount,
       NULL::text AS currency,
       arranged_at AS at,
       coalesce(cancelled_at, arranged_at) AS changed_at,
       -- <root key>:<step>@<application>/<definition>
       nullif(split_part(split_part(regexp_replace(step_key, '^.*:', ''), '@', 2), '/', 1), '') AS application,
       json_build_object('orderId', order_id, 'shipmentId', id, 'trackingNumber', tracking_number)::text AS evidence
FROM   shipment
WHERE  status <> 'REJECTED'
