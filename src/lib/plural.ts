/** A count and its noun: `1 tool call`, `2 tool calls`. `shown` is how the count is written. */
export const plural = (count: number, noun: string, shown: number | string = count): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`
