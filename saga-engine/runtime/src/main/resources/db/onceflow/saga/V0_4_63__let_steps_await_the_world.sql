-- A step may be AWAITING: its participant has begun it, and waits for the world. In the JSON of saga_instance.steps the code
-- checks that; here, for sagas that keep a row for each step. Rows from before fit already: to check them would be to read
-- them all under a lock.
ALTER TABLE saga_step
  DROP CONSTRAINT saga_step_status,
  DROP CONSTRAINT saga_step_due_while_a_reply_is_awaited,
  DROP CONSTRAINT saga_step_unanswered_while_waiting,
  ADD CONSTRAINT saga_step_status CHECK
    (status IN ('WAITING', 'AWAITING', 'SUCCEEDED', 'REFUSED', 'GIVEN_UP', 'COMPENSATING', 'COMPENSATED')) NOT VALID,
  ADD CONSTRAINT saga_step_due_while_a_reply_is_awaited CHECK
    ((status IN ('WAITING', 'AWAITING', 'COMPENSATING')) = (due_at IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT saga_step_unanswered_while_waiting CHECK
    (status NOT IN ('WAITING', 'AWAITING') OR replied_at IS NULL) NOT VALID;
