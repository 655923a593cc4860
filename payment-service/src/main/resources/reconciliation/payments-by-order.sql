-- The same by the orders that were charged, for the services that asked for it. An order whose charge was given back
-- may know of none: it was compensated before it heard of the charge.
SELECT id,
       order_id AS reference,
       CASE status WHEN 'PROCESSED' THEN 'CHARGED' ELSE 'REFUNDED|ABSENT' END AS state,
       amount,
       currency,
       processed_at AS at,
       coalesce(refunded_at, processed_at) AS changed_at,
       -- <root key>:<step>@<application>/<definition>
       nullif(split_part(split_part(regexp_replace(step_key, '^.*:', ''), '@', 2), '/', 1), '') AS application,
       json_build_object('paymentId', id, 'gatewayReference', gateway_reference)::text AS evidence
FROM   payment
WHERE  status <> 'DECLINED'
