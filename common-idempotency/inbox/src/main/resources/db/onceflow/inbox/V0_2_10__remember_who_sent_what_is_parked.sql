-- The routing key under which the broker accepted the message: it says who sent it, and is checked again when the
-- message is redriven. Null for what was parked before this column.
ALTER TABLE parked_message
  ADD COLUMN routing_key text,
  DROP CONSTRAINT parked_message_reason,
  ADD CONSTRAINT parked_message_reason CHECK (reason IN
    ('malformed', 'unknown-type', 'unsupported-version', 'no-idempotency-key', 'fingerprint-mismatch',
     'unknown-saga', 'reply-mismatch', 'deferred-too-long', 'handling-failed'));
