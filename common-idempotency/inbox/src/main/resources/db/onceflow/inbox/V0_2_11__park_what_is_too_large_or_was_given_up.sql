-- A message that is larger than the service takes, of which only the beginning is kept, and messages that the broker has given
-- up on: delivered more often than its limit allows, or moved aside for another reason.
ALTER TABLE parked_message
  DROP CONSTRAINT parked_message_reason,
  ADD CONSTRAINT parked_message_reason CHECK (reason IN
    ('malformed', 'unknown-type', 'unsupported-version', 'no-idempotency-key', 'fingerprint-mismatch',
     'unknown-saga', 'reply-mismatch', 'deferred-too-long', 'handling-failed',
     'too-large', 'delivery-limit', 'dead-lettered'));
