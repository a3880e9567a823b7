import type { FrontSettings } from '../client/workbench.ts'

/** What holds until the configuration is read; the same as its defaults. */
export const defaultSettings: FrontSettings = {
  display: {
    showStats: true,
    showToolCalls: true,
    theme: 'dark',
    bellOnComplete: true,
    progressBar: true,
    stream: true,
  },
  edit: {
    showDiff: true,
    diffFormat: 'inline-highlights',
    syntaxHighlight: true,
    showDescription: true,
    wrapLongLines: true,
  },
  input: { multiline: 'auto' },
  undoStackSize: 10,
  saveInputHistory: true,
  suggestCompressAt: 30,
}
