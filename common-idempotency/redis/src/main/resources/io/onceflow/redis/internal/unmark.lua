-- Takes a marker away, if it is still its owner's. KEYS[1] the entry; ARGV: marker.
if redis.call('HGET', KEYS[1], 'marker') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
