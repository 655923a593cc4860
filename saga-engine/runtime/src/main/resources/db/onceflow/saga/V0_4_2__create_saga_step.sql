-- One row per step that a saga has reached, written first when the step is sent; a step without a row is PENDING.
-- No foreign key: the store alone writes here, after the saga's own row in the same transaction, and the check would
-- lock that row once more for every step.
CREATE TABLE saga_step (
  saga_id                 uuid        NOT NULL,
  position                int         NOT NULL,             -- in the definition, from 0
  name                    text        NOT NULL,
  status                  text        NOT NULL,
  attempts                int         NOT NULL,             -- how often its command was sent
  sent_at                 timestamptz NOT NULL,             -- last
  replied_at              timestamptz,                      -- when the reply came that counts
  compensation_attempts   int         NOT NULL,
  compensation_sent_at    timestamptz,
  compensation_replied_at timestamptz,
  due_at                  timestamptz,                      -- when it is sent again unless a reply comes first
  PRIMARY KEY (saga_id, position),
  CONSTRAINT saga_step_status CHECK (status IN ('WAITING', 'SUCCEEDED', 'REFUSED', 'COMPENSATING', 'COMPENSATED')),
  CONSTRAINT saga_step_unanswered_while_waiting CHECK (status <> 'WAITING' OR replied_at IS NULL),
  CONSTRAINT saga_step_answered_by_a_reply CHECK (status NOT IN ('SUCCEEDED', 'REFUSED') OR replied_at IS NOT NULL),
  CONSTRAINT saga_step_compensation_sent CHECK ((status IN ('COMPENSATING', 'COMPENSATED')) = (compensation_sent_at IS NOT NULL)),
  CONSTRAINT saga_step_compensation_answered CHECK ((status = 'COMPENSATED') = (compensation_replied_at IS NOT NULL)),
  CONSTRAINT saga_step_due_while_a_reply_is_awaited CHECK ((status IN ('WAITING', 'COMPENSATING')) = (due_at IS NOT NULL)),
  CONSTRAINT saga_step_attempts CHECK (attempts > 0 AND (compensation_attempts > 0) = (compensation_sent_at IS NOT NULL))
);
