-- When a step was last taken up after it had waited: for a place in its lane, for its next attempt, or since its owner was
-- gone. Null for a step that was begun when it arrived, which is written no more than before. For the timeline of a saga.
ALTER TABLE inbox_message ADD COLUMN taken_up_at timestamptz;
