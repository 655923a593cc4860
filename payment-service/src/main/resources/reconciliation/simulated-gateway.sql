-- Charges as the simulated gateway has them. One that it has given back need not be known here.
SELECT charge.id,
       charge.reference,
       CASE WHEN refund.amount IS NULL         THEN 'CHARGED'
            WHEN refund.amount = charge.amount THEN 'REFUNDED|ABSENT'
            ELSE 'PARTLY_REFUNDED' END AS state,
       charge.amount,
       charge.currency,
       charge.at,
       CASE WHEN step.status IS NULL THEN coalesce(refund.at, charge.at) ELSE now() END AS changed_at,
       NULL::text AS application,
       json_build_object('orderId', charge.order_id, 'customer', charge.customer,
                         'idempotencyKey', charge.idempotency_key)::text AS evidence
FROM   simulated_gateway.ledger charge
       CROSS JOIN LATERAL (
         SELECT sum(amount) AS amount, max(at) AS at
         FROM   simulated_gateway.ledger refund
         WHERE  refund.kind = 'REFUND'
         AND    refund.reference = charge.reference
       ) AS refund
       -- Under way, even if this service was down for long: the step is taken up again, and knows the charge then.
       LEFT JOIN inbox_message step
              ON step.scope = charge.customer
             AND step.step_key = charge.idempotency_key
             AND step.status = 'STARTED'
             -- Unless its message is with the broker, and has not come again for a day.
             AND (step.envelope IS NOT NULL OR step.lease_expires_at > now() - interval '1 day')
WHERE  charge.kind = 'CHARGE'
