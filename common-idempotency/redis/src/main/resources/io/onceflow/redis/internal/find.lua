-- Tells what stands under a key. KEYS[1] the record; ARGV: the longest answer in bytes.
local size = redis.call('HSTRLEN', KEYS[1], 'response_body') + redis.call('HSTRLEN', KEYS[1], 'response_headers')
if size > tonumber(ARGV[1]) then
  return {'OVERSIZED'}
end
local record = redis.call('HMGET', KEYS[1], 'status', 'created_at', 'token', 'expires_at', 'response_status',
  'response_headers', 'response_body', 'fingerprint', 'mac', 'operation', 'retention_ms', 'claim_mac', 'lease_expires_at')
if not record[1] then
  return {'NONE'}
end
if record[1] == 'COMPLETED' then
  return {'DONE', record[2], record[3], record[4], record[5], record[6], record[7], record[8], record[9]}
end
return {'STARTED', record[8], record[10], record[11], record[12], record[2], record[13]}
