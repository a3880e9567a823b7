import type { FactPort } from '../model/tool-format.ts'

/**
 * Tells a person something about a model of a server once: again only when it is something else, or after a start at which
 * there was nothing to tell. `about` names the model and the server.
 */
export function tellOnce(facts: FactPort, about: string, text: string | undefined, tell: (text: string) => void): void {
  const key = `told ${about}`
  const known = facts.getFact(key) ?? ''
  if (known === (text ?? '')) return
  facts.setFact(key, text ?? '')
  if (text !== undefined) tell(text)
}
