-- Keeps the answer of work that is committed, unless the record is another's by now.
-- KEYS[1] the record; ARGV: token, fingerprint, expiry in ms since the epoch, response status,
-- headers, body, code.
local token = redis.call('HGET', KEYS[1], 'token')
if token and token ~= ARGV[1] then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSETNX', KEYS[1], 'created_at', now)
redis.call('HDEL', KEYS[1], 'lease_expires_at')
redis.call('HSET', KEYS[1], 'status', 'COMPLETED', 'token', ARGV[1], 'fingerprint', ARGV[2],
  'expires_at', ARGV[3], 'response_status', ARGV[4], 'response_headers', ARGV[5], 'response_body', ARGV[6],
  'mac', ARGV[7])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1
