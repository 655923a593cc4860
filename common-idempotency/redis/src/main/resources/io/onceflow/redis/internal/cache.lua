-- Caches an answer until PostgreSQL forgets it; never in the place of a later one.
-- KEYS[1] the entry; ARGV: token, fingerprint, expiry in ms since the epoch, response status,
-- headers, body, code.
local token = redis.call('HGET', KEYS[1], 'token')
-- Tokens have up to nineteen digits, more than a number of Lua holds: the longer is the greater, else the alphabet's.
if token and (#token > #ARGV[1] or (#token == #ARGV[1] and token > ARGV[1])) then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'fingerprint', ARGV[2], 'expires_at', ARGV[3],
  'response_status', ARGV[4], 'response_headers', ARGV[5], 'response_body', ARGV[6], 'mac', ARGV[7])
-- A time that has passed deletes at once.
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1
