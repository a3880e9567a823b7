/** Why a run should stop, in words for the user and the model. */
export interface LoopStop {
  kind: 'same-call' | 'cycle' | 'text'
  text: string
}
