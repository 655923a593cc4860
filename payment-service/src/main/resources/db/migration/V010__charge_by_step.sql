-- Two orchestrators may use the same order id, and a saga may charge an order in two steps: one row for each step that
-- charges. The step's key holds its origin. What is there stays as it is.
ALTER TABLE payment
  DROP CONSTRAINT payment_one_per_order,
  ADD CONSTRAINT payment_one_per_step UNIQUE (order_id, scope, step_key);
