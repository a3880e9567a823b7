import { InvalidArgumentError } from 'commander'

/** A whole number from 1, for commander. */
export function atLeastOne(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1.')
  return value
}

/** A whole number from 0, for limits. */
export function noLimitAtZero(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('Give a whole number; 0 means no limit.')
  return value
}
