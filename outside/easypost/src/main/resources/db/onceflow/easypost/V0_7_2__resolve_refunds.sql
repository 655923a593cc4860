-- When an operator ended the refund of a label, which is not asked for any more; why is in operator_audit.
ALTER TABLE easypost_request ADD COLUMN resolved_at timestamptz;
