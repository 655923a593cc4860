-- When the end of a step's lease was written last without its being taken up: by which clock that is. NULL for most steps, which
-- take no room for it.
ALTER TABLE inbox_message ADD COLUMN postponed_at timestamptz;
