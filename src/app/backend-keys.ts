import type { Config } from '../config/schema.ts'

/** The keys of the backends, which no command is given. */
export const backendKeys = ({ backends }: Pick<Config, 'backends'>): string[] =>
  Object.values(backends).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]))
