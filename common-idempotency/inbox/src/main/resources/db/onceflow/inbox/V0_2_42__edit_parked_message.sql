-- A parked message that an operator has changed: `payload` is what a redrive uses, and what came is kept beside it.
ALTER TABLE parked_message
  ADD COLUMN original_payload bytea,               -- byte for byte, as it came; null while nothing was changed
  ADD COLUMN edited_by        text,                -- the subject of the token, at the last change
  ADD COLUMN edited_at        timestamptz,
  ADD COLUMN redrives         integer NOT NULL DEFAULT 0,   -- how often operators have tried it again
  ADD CONSTRAINT parked_message_edited_as_a_whole
    CHECK ((original_payload IS NULL) = (edited_by IS NULL) AND (edited_by IS NULL) = (edited_at IS NULL));
