/** Takes a percentage off a price in cents; rounds to whole cents. */
export function percentOff(cents, percent) {
  if (percent < 0 || percent > 100) throw new RangeError(`percent must be 0 to 100, got ${percent}`)
  return Math.round(cents - cents * percent)
}
