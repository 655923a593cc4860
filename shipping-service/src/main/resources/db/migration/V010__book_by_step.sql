-- Two orchestrators may use the same id of an order or a return, and a saga may book in two steps: one row for each step
-- that books. The step's key holds its origin. What is there stays as it is.
DROP INDEX shipment_one_per_subject;

CREATE UNIQUE INDEX shipment_one_per_step ON shipment ((coalesce(return_id, order_id)), scope, step_key);
