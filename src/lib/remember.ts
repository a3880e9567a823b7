/** `make`, called once for each object: what it made is given again as long as the object lives, so neither may be changed. */
export function remembered<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { value: V }>()
  return (key) => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}
