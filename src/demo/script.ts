// The script of `codehound demo`: what a model would say and call to find and mend the fault of the bundled project. It is
// played by the scripted provider and labelled as a script; tools, diff, edit, tests and report are real.
import type { ModelScript } from '../model/providers/scripted.ts'

export const DEMO_PROMPT =
  'A customer says that ten percent off makes the price negative. Find out why, mend it, and run the tests.'

/** Milliseconds between words, so that a reader can follow. */
const PAUSE_MS = 12

export const demoScript: ModelScript = {
  pauseMs: PAUSE_MS,
  steps: [
    {
      text: 'I look at the code that computes the price, and run the tests as they are.',
      calls: [
        { name: 'list_files', arguments: { path: '.', recursive: true } },
        { name: 'read_file', arguments: { path: 'src/cart.js' } },
        { name: 'read_file', arguments: { path: 'src/discount.js' } },
        { name: 'run_tests', arguments: {} },
      ],
    },
    {
      text: 'percentOff multiplies by the percentage itself: 10 is taken as 1,000 %. It must be divided by 100.',
      calls: [
        {
          name: 'edit_file',
          arguments: {
            path: 'src/discount.js',
            old_text: 'return Math.round(cents - cents * percent)',
            new_text: 'return Math.round(cents - (cents * percent) / 100)',
          },
        },
      ],
    },
    { text: 'Now the tests again.', calls: [{ name: 'run_tests', arguments: {} }] },
    {
      text: 'Mended: percentOff in src/discount.js took the percentage as a factor, so 10 percent off became 1,000 percent off. It divides by 100 now, and all three tests pass, the one for ten percent off included.',
    },
  ],
}
