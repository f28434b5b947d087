interface Keeper<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value kept under a key, or the one that is made now and kept. Values are never undefined. */
export function memoize<Key, Value>(keeper: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  const known = keeper.get(key)
  if (known !== undefined) return known
  const made = make()
  keeper.set(key, made)
  return made
}
