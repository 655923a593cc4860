-- One row per saga: where it stands and when it is next looked after. What the saga is about lies in the business's
-- own rows; nothing of it is kept here.
CREATE TABLE saga_instance (
  id             uuid        PRIMARY KEY,
  definition     text        NOT NULL,
  version        int         NOT NULL,      -- of the definition; kept for the saga's whole life
  subject_id     uuid        NOT NULL,      -- the business's row, such as the order
  scope          text        NOT NULL,      -- whose root key it is
  root_key       text        NOT NULL,      -- step keys are <root key>:<step>
  traceparent    text,                      -- of the request that started it
  status         text        NOT NULL,
  reason         text,                      -- why it is undone
  revision       bigint      NOT NULL,      -- a writer follows the state it has read, or not at all
  next_action_at timestamptz,               -- when something is sent again unless a reply comes first
  started_at     timestamptz NOT NULL,
  ended_at       timestamptz,
  CONSTRAINT saga_instance_one_per_subject UNIQUE (definition, subject_id),
  CONSTRAINT saga_instance_status CHECK (status IN ('RUNNING', 'COMPENSATING', 'COMPLETED', 'COMPENSATED', 'STUCK')),
  CONSTRAINT saga_instance_ended_at_its_end CHECK ((status IN ('COMPLETED', 'COMPENSATED')) = (ended_at IS NOT NULL)),
  CONSTRAINT saga_instance_timer_until_its_end CHECK ((next_action_at IS NULL) = (ended_at IS NOT NULL)),
  CONSTRAINT saga_instance_undone_for_a_reason CHECK (status NOT IN ('COMPENSATING', 'COMPENSATED') OR reason IS NOT NULL),
  CONSTRAINT saga_instance_completed_without_one CHECK (status <> 'COMPLETED' OR reason IS NULL)
);

CREATE INDEX saga_instance_due ON saga_instance (definition, next_action_at) WHERE next_action_at IS NOT NULL;

-- Whether a root key was used before: a client may use one again once its idempotency record has expired.
CREATE INDEX saga_instance_by_root_key ON saga_instance (scope, root_key);
