-- Bookings as the simulated carrier has them. One that was taken back need not be known here.
SELECT booking.id,
       booking.tracking_number AS reference,
       CASE WHEN cancellation.at IS NULL THEN 'BOOKED' ELSE 'CANCELLED|ABSENT' END AS state,
       NULL::bigint AS amount,
       NULL::text AS currency,
       booking.at,
       CASE WHEN step.status IS NULL THEN coalesce(cancellation.at, booking.at) ELSE now() END AS changed_at,
       NULL::text AS application,
       json_build_object('orderId', booking.order_id, 'customer', booking.customer,
                         'idempotencyKey', booking.idempotency_key)::text AS evidence
FROM   simulated_carrier.ledger booking
       CROSS JOIN LATERAL (
         SELECT max(at) AS at
         FROM   simulated_carrier.ledger cancellation
         WHERE  cancellation.kind = 'CANCELLATION'
         AND    cancellation.tracking_number = booking.tracking_number
       ) AS cancellation
       -- Under way, even if this service was down for long: the step is taken up again, and knows the booking then.
       LEFT JOIN inbox_message step
              ON step.scope = booking.customer
             AND step.step_key = booking.idempotency_key
             AND step.status = 'STARTED'
             -- Unless its message is with the broker, and has not come again for a day.
             AND (step.envelope IS NOT NULL OR step.lease_expires_at > now() - interval '1 day')
WHERE  booking.kind = 'BOOKING'
