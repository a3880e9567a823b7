// What a session waits for: approvals, questions and choices after an error, each answered once by whoever answers first.
import { randomUUID } from 'node:crypto'

interface Waiting {
  kind: 'approval' | 'question' | 'error'
  resolve: (answer: unknown) => void
}

export class PendingAnswers {
  private readonly waiting = new Map<string, Waiting>()

  /**
   * Waits for `answer(id, …)`. `ask` is called with the id once waiting has begun. An aborted signal ends the wait with
   * undefined.
   */
  wait<T>(kind: Waiting['kind'], signal: AbortSignal, ask: (id: string) => void): Promise<T | undefined> {
    const id = randomUUID()
    return new Promise<T | undefined>((resolve) => {
      const settle = (answer: unknown): void => {
        signal.removeEventListener('abort', onAbort)
        this.waiting.delete(id)
        resolve(answer as T | undefined)
      }
      const onAbort = (): void => settle(undefined)
      if (signal.aborted) return resolve(undefined)
      signal.addEventListener('abort', onAbort, { once: true })
      this.waiting.set(id, { kind, resolve: settle })
      ask(id)
    })
  }

  /** False when nothing waits under that id: it was answered, or never asked. */
  answer(kind: Waiting['kind'], id: string, answer: unknown): boolean {
    const waiting = this.waiting.get(id)
    if (waiting?.kind !== kind) return false
    waiting.resolve(answer)
    return true
  }

  ids(kind: Waiting['kind']): string[] {
    return [...this.waiting].filter(([, each]) => each.kind === kind).map(([id]) => id)
  }
}
