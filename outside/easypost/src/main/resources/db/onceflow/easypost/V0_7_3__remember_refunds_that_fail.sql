-- Why EasyPost does not refund a label that is given up: the refund's status or an error code; null where nothing failed.
ALTER TABLE easypost_request ADD COLUMN refund_failure text;

-- When it was given up, by which the refunds of a day are found; null of what an earlier version gave up.
ALTER TABLE easypost_request ADD COLUMN given_up_at timestamptz;

CREATE INDEX easypost_request_refund_failed ON easypost_request (created_at) WHERE refund_failure IS NOT NULL AND resolved_at IS NULL;
CREATE INDEX easypost_request_by_refund ON easypost_request (given_up_at) WHERE given_up_at IS NOT NULL;

-- Operators' look at the refunds of a subject; the comparison's at those that are resolved.
CREATE INDEX easypost_request_given_up_by_subject ON easypost_request (subject) WHERE given_up;
CREATE INDEX easypost_request_resolved            ON easypost_request (shipment_id) WHERE resolved_at IS NOT NULL;
