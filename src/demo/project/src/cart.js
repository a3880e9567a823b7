import { percentOff } from './discount.js'

/** Sum of a cart in cents, after the discount. */
export function total(items, discountPercent = 0) {
  const sum = items.reduce((cents, item) => cents + item.price * item.quantity, 0)
  return percentOff(sum, discountPercent)
}

/** Number of pieces in a cart. */
export function count(items) {
  return items.reduce((pieces, item) => pieces + item.quantity, 0)
}
