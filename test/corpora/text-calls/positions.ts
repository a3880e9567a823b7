import type { ScannerOptions, Verdict } from '../../../src/model/text-calls/types.ts'
import type { Form } from './forms.ts'

/** Where a call stands and what the session knows of the model, and what that makes of a call that is right. */
export interface Position {
  id: string
  fits: (form: Form) => boolean
  place: (call: string) => string
  session: (form: Form) => Pick<ScannerOptions, 'dialect' | 'madeNativeCalls'>
  /**
   * `text`: no call comes out. `asIs`: what the call is worth by itself. `effect`: a read in a form that means a call runs,
   * everything else is asked about.
   */
  verdict: Exclude<Verdict, 'call' | 'cut' | 'fault'> | 'asIs' | 'effect' | 'text'
}

const always = (): boolean => true
const own = (form: Form): Pick<ScannerOptions, 'dialect'> => ({ dialect: form.dialect })
const unknown = (): Pick<ScannerOptions, 'dialect'> => ({})
const other = (form: Form): Pick<ScannerOptions, 'dialect'> => ({ dialect: form.dialect === 'kimi' ? 'json' : 'kimi' })

export const positions: readonly Position[] = [
  { id: 'alone', fits: always, place: (call) => call, session: unknown, verdict: 'asIs' },
  {
    id: 'alone-from-a-native-model',
    fits: always,
    place: (call) => call,
    session: () => ({ madeNativeCalls: true }),
    verdict: 'asIs',
  },
  {
    id: 'after-thinking',
    fits: (form) => !form.id.startsWith('harmony'),
    place: (call) => `<think>\nI could call <tool_call>{"name":"shell_exec"}</tool_call> here.\n</think>\n\n${call}`,
    session: unknown,
    verdict: 'asIs',
  },
  {
    id: 'ends-the-message',
    fits: always,
    place: (call) => `I will look at that first.\n\n${call}`,
    session: own,
    verdict: 'asIs',
  },
  {
    id: 'ends-the-line',
    fits: (form) => form.strong && !form.id.startsWith('fenced') && form.id !== 'tool-code',
    place: (call) => `Let me check this. ${call}\n`,
    session: own,
    verdict: 'asIs',
  },
  {
    id: 'ends-the-message-of-a-new-model',
    fits: always,
    place: (call) => `I will look at that first.\n${call}\n`,
    session: unknown,
    verdict: 'asIs',
  },
  {
    id: 'ends-the-message-of-a-native-model',
    fits: always,
    place: (call) => `I will look at that first.\n${call}`,
    session: (form) => ({ ...own(form), madeNativeCalls: true }),
    verdict: 'asIs',
  },
  {
    id: 'ends-the-message-in-another-dialect',
    fits: always,
    place: (call) => `I will look at that first.\n${call}`,
    session: other,
    verdict: 'asIs',
  },
  {
    id: 'before-prose',
    fits: always,
    place: (call) => `${call}\nThen we will see what to do.`,
    session: own,
    verdict: 'asIs',
  },
  {
    id: 'between-prose',
    fits: always,
    place: (call) => `Let me begin.\n\n${call}\n\nAfter that I go on.`,
    session: own,
    verdict: 'asIs',
  },
  {
    id: 'shown-at-the-end',
    fits: always,
    place: (call) => `Reading a file is done like this, for example:\n\n${call}`,
    session: own,
    verdict: 'effect',
  },
  {
    id: 'shown-in-the-middle',
    fits: always,
    place: (call) => `The syntax would be:\n\n${call}\n\nThat is all there is to it.`,
    session: own,
    verdict: 'text',
  },
]
