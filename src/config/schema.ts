// The one schema of the configuration: what each key is, what it means, and what holds when nobody sets it. The program
// itself does not load this file: it validates by config-schema.json, which `node script/docs.ts` makes from here, because
// loading zod costs more than the rest of a start. Descriptions are the words of docs/config.md and `config --explain`.
import { z } from 'zod'
import { CONFIG_VERSION } from './version.ts'

const text = () => z.string()
const flag = () => z.boolean()
const count = () => z.number().int().nonnegative()
const share = () => z.number().gt(0).lte(1)
const list = () => z.array(z.string())

/** An object whose keys may all be missing; defaults of the inner keys hold then. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape, meaning: string) {
  return z
    .strictObject(shape)
    .prefault({} as never)
    .describe(meaning)
}

// What is missing here is filled by the preset of the type, and after that by `backendDefaults`.
const backendSchema = z
  .strictObject({
    type: z
      .enum(['ollama', 'openai-compatible', 'anthropic', 'albert', 'scripted'])
      .describe('Wire protocol, or a preset of one (albert).'),
    url: text().optional().describe('Base URL, with or without its usual path (`/v1`, `/api`).'),
    apiKey: text().optional().describe('Key sent with each request; best as `${VARIABLE}`.'),
    apiKeyCommand: text().optional().describe('Command whose first output line is the key.'),
    headers: z.record(text(), text()).optional().describe('Further headers of each request.'),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe('Seconds to the first byte of an answer. Default: 120, on local and private addresses 600.'),
    idleTimeout: z
      .number()
      .positive()
      .optional()
      .describe(
        'Seconds in which the model says nothing before its answer is given up. Default: 60 of silence (Ollama on local and private addresses 600), 600 of bytes that say nothing.',
      ),
    maxTokens: count().min(1).optional().describe('Most tokens of one answer. Default: 4096.'),
    contextMaxTokens: count().min(1).optional().describe('Window in tokens; wins over what the server reports.'),
    numCtx: count()
      .min(1)
      .optional()
      .describe('Ollama: the window to ask for, in tokens, instead of one chosen by codehound.'),
    temperature: z.number().min(0).max(2).optional().describe('Sampling temperature. Default: 0.1.'),
    maxParallelTools: count().min(1).optional().describe('Reads of one response that run side by side. Default: 4.'),
    toolFormat: z
      .enum(['auto', 'native', 'xml'])
      .optional()
      .describe("How the model writes tool calls: the provider's own form, or in the text. Default: auto."),
    vision: z
      .boolean()
      .optional()
      .describe('Whether the model takes images; wins over what the server reports. Default: tried where nobody says.'),
    reasoning: z.enum(['off', 'low', 'medium', 'high']).optional().describe('How long a reasoning model may think.'),
    keepAlive: text().optional().describe('Ollama: how long the server keeps the model loaded (`10m`, `-1`).'),
    caFile: text().optional().describe('PEM file with further certificate authorities.'),
  })
  .describe('One server of models.')

const hookSchema = z.array(
  z.strictObject({
    matcher: text().optional().describe('Regular expression over the tool name; all tools when missing.'),
    hooks: z.array(
      z.strictObject({
        type: z.literal('command').optional(),
        command: text(),
        timeout: z.number().positive().optional().describe('Seconds.'),
      }),
    ),
  }),
)

export const configSchema = z.strictObject({
  $schema: text().optional().describe('For editors: address of the JSON Schema.'),
  configVersion: count().default(CONFIG_VERSION).describe('Version of the keys this file was written for.'),
  storage: section(
    {
      type: z.enum(['sqlite']).default('sqlite').describe('Where sessions live.'),
      location: z
        .enum(['user', 'workspace'])
        .default('user')
        .describe('The data folder of the user, or `.codehound/` of the project (`git clean -fdx` takes it).'),
    },
    'Sessions and their messages.',
  ),
  backends: z
    .record(text(), backendSchema)
    .default({ ollama: { type: 'ollama', url: 'http://127.0.0.1:11434' } as never })
    .describe('Servers of models by name; a model is written `backend/model`.'),
  model: text().default('ollama/qwen2.5-coder:7b-instruct').describe('Model to use, `backend/model`.'),
  fallback: list().default([]).describe('Models tried in this order when the one before is down.'),
  project: section(
    {
      scope: text()
        .default('repository')
        .describe(
          'What the index and the map cover: `repository` around the start folder, the start `folder` alone, or the folder of this path from the root (`./folder` where the name is one of these words).',
        ),
      ignorePatterns: list()
        .default(['node_modules', 'dist', 'build', '.git', '*.min.js'])
        .describe('Left out of listings, search and index, besides what .gitignore names.'),
      binaryExtensions: list()
        .default(['.png', '.jpg', '.pdf', '.zip', '.woff'])
        .describe('Files that are never read as text.'),
    },
    'What belongs to the project.',
  ),
  session: section(
    {
      persistIndefinitely: flag().default(true).describe('Keep sessions for good; else those idle for 90 days go.'),
      maxHistoryMessages: count().default(100).describe('User messages of the session that are sent at most.'),
      saveInputHistory: flag().default(true).describe('Keep what was typed for the arrow keys.'),
      titles: z
        .enum(['first-line', 'model'])
        .default('first-line')
        .describe('Title of a session: first line of its first message, or written by the model.'),
    },
    'Sessions.',
  ),
  context: section(
    {
      maxContextUsage: share().default(0.8).describe('Share of the window a prompt may fill.'),
      autoCompressAt: share().default(0.8).describe('Share of the window at which old material is compacted.'),
      compressionMethod: z
        .enum(['llm-summary', 'trim'])
        .default('llm-summary')
        .describe('How: a summary by the model, or cutting long results only.'),
      mapTokens: count().max(10_000).default(3000).describe('Size of the repository map in tokens.'),
      mapWait: count()
        .default(150)
        .describe('Milliseconds the first request waits for the map of an index that is opening.'),
    },
    'What is in the prompt.',
  ),
  compression: section(
    {
      autoEnabled: flag().default(true).describe('Compact without being asked.'),
      autoThreshold: count().default(30).describe('User messages from which `/compress` is suggested.'),
      autoKeep: count().default(5).describe('Newest exchanges that are kept word for word.'),
      maxMessages: count().default(50).describe('User messages at which compaction runs by itself.'),
    },
    'Compaction by the number of messages.',
  ),
  watcher: section(
    {
      debounceMs: count()
        .default(500)
        .describe('Milliseconds that changes are gathered at most; a single one is taken up at once.'),
    },
    'Watching files. `watchdog` is accepted as well.',
  ),
  commands: section(
    {
      timeout: z.number().positive().nullable().default(null).describe("Seconds; null is each tool's own."),
      allow: list().default([]).describe('Commands that run unasked, as prefixes of words: `make`, `npm run *`.'),
      block: list()
        .default([
          'rm -rf',
          'rm -r',
          'git push --force',
          'git reset --hard',
          'git clean -fd',
          'npm publish',
          'sudo',
          'chmod',
          'chown',
        ])
        .describe('Commands that are refused whatever else says. A workspace can only add to it.'),
      confirm: z
        .enum(['unknown', 'always'])
        .default('unknown')
        .describe('Ask about commands no list knows, or about every command.'),
      askForUnknown: flag().default(true).describe('False refuses what no list knows instead of asking.'),
      env: list()
        .default([])
        .describe(
          'Variables that commands get beside those that every program needs: `DATABASE_URL`, `MYAPP_*`. All others are not passed on.',
        ),
    },
    'Shell commands.',
  ),
  permissions: section(
    {
      mode: z
        .enum(['plan', 'ask', 'auto-edit', 'auto'])
        .default('ask')
        .describe('plan: reads only; ask; auto-edit: edits apply, commands ask; auto: asks nothing.'),
      additionalRoots: list().default([]).describe('Folders outside the workspace that tools may use.'),
      rules: z
        .array(
          z.union([
            z.string(),
            z.strictObject({
              rule: text().describe('The rule, as the short form writes it.'),
              reason: text().optional().describe('Shown with the question or the refusal.'),
              match: list().optional().describe('Examples the rule must cover; checked when it is read.'),
              noMatch: list().optional().describe('Examples it must not cover.'),
            }),
          ]),
        )
        .default([])
        .describe('Rules such as `allow command make test` or `deny path secrets/**`.'),
    },
    'What may be done unasked.',
  ),
  secrets: section(
    {
      files: list()
        .default([])
        .describe(
          'Further files that are neither read nor sent, as globs on the name or the end of the path; `!.env.test` takes one out.',
        ),
      allowNames: list()
        .default([])
        .describe('Variables whose values may be seen: `PUBLIC_KEY`. Other values that look secret are masked.'),
    },
    'What the model must not read.',
  ),
  sandbox: section(
    {
      mode: z
        .enum(['auto', 'off', 'strict'])
        .default('auto')
        .describe(
          'auto: where the system offers one; strict: commands run in a sandbox or not at all. `sandbox: strict` is short for it.',
        ),
      readable: list()
        .default([])
        .describe(
          'Further files and folders that commands may read: `~/models`, `/srv/data`. Secret files in them stay hidden.',
        ),
      limits: section(
        {
          processes: count().default(4096).describe('Processes of one command at a time; 0 is no limit.'),
          memory: count().default(16_384).describe('MiB that one process may fill; 0 is no limit.'),
          fileSize: count().default(16_384).describe('MiB of one file that is written; 0 is no limit.'),
          disk: count()
            .default(32_768)
            .describe('MiB by which free disk space may shrink while a command runs; 0 is no limit.'),
        },
        'What one command may take, in the sandbox.',
      ),
    },
    'What commands see of the machine.',
  ),
  undo: section(
    { stackSize: count().default(10).describe('Changes `/undo` takes back without asking.') },
    'Taking changes back.',
  ),
  edit: section(
    {
      alwaysConfirm: flag().default(true).describe('False starts in mode auto-edit.'),
      autoApply: flag().default(false).describe('True starts in mode auto-edit.'),
      showDiff: flag()
        .default(true)
        .describe('Show the diff of a change that was made; a question about one always does.'),
      diffFormat: z
        .enum(['inline-highlights', 'unified', 'side-by-side'])
        .default('inline-highlights')
        .describe('How a diff is drawn.'),
      syntaxHighlight: flag().default(true).describe('Colour the code of a diff.'),
      showDescription: flag().default(true).describe('One line above a diff that says what it is for.'),
      wrapLongLines: flag().default(true).describe('Wrap long lines of a diff instead of cutting them.'),
    },
    'Changes of files.',
  ),
  display: section(
    {
      showStats: flag().default(true).describe('Time, tokens and tool calls after each answer.'),
      showToolCalls: flag().default(true).describe('A line for each tool call.'),
      theme: z
        .enum(['dark', 'light', 'high-contrast', 'none'])
        .default('dark')
        .describe('Colours; none is what NO_COLOR does.'),
      bellOnComplete: flag().default(true).describe('Ring when a run in the background is done.'),
      progressBar: flag().default(true).describe('Bars for downloads and the index.'),
      stream: flag().default(true).describe('False waits and shows the whole answer.'),
    },
    'The screen.',
  ),
  input: section(
    {
      multiline: z
        .enum(['auto', 'on', 'off'])
        .default('auto')
        .describe('on: Enter makes a new line; auto: a paste of many lines stays one message.'),
    },
    'Typing.',
  ),
  limits: section(
    {
      preset: z.enum(['default', 'strict']).default('default').describe('Where the counters start from.'),
      consecutiveReads: count().optional().describe('Turns in a row that only read; 0 = no limit. Default: by preset.'),
      consecutiveActionRetries: count()
        .optional()
        .describe('Turns in a row whose action failed; 0 = no limit. Default: by preset.'),
      consecutiveFormatErrors: count()
        .optional()
        .describe('Answers in a row that did not parse; 0 = no limit. Default: by preset.'),
      totalTurns: count().optional().describe('Turns of a run; 0 = no limit. Default: by preset.'),
      tokens: count().default(0).describe('Tokens of a run, in and out; 0 = no limit.'),
      wallTime: z
        .number()
        .nonnegative()
        .optional()
        .describe('Seconds of a run; 0 = no limit. Default: headless 3600, automation 600, else none.'),
      answerChars: count()
        .default(1_000_000)
        .describe('Characters of one answer, reasoning and arguments included; what is longer is cut. 0 = no limit.'),
      answerTime: z
        .number()
        .nonnegative()
        .default(3600)
        .describe('Seconds of one answer, after which it is cut; 0 = no limit.'),
      maxFilesWarning: count()
        .default(10_000)
        .describe(
          'Files above which it is asked how much of a workspace the index reads; where nobody is asked, it warns.',
        ),
    },
    'When a run stops by itself.',
  ),
  tools: section(
    {
      profile: z
        .union([z.enum(['auto', 'minimal', 'default', 'all']), list()])
        .default('auto')
        .describe('Tools the model is told of: by the size of its window, a set, or a list of names.'),
      disabled: list().default([]).describe('Tools that do not exist at all.'),
      maxResultChars: count().min(500).optional().describe('Characters of one result. Default: by the window.'),
    },
    'Tools.',
  ),
  answers: section(
    {
      style: z.enum(['concise', 'guided', 'off']).default('guided').describe('How much guidance for answers is sent.'),
      check: flag().default(false).describe('Hold each answer against files, index and record.'),
    },
    'Answers.',
  ),
  loop: section(
    {
      mode: z
        .enum(['agentic', 'single-batch'])
        .default('agentic')
        .describe('Turns until the work is done, or one batch of calls and then the answer.'),
      answerFormat: z
        .enum(['native', 'structured'])
        .default('native')
        .describe('Tool calls, or one JSON object for models that are better at it.'),
    },
    'The agent loop.',
  ),
  cache: section(
    {
      agent: z
        .enum(['off', 'temperature-0', 'always'])
        .default('off')
        .describe('Answers of the model that are kept and reused.'),
      ttl: count().default(86_400).describe('Seconds an answer is kept.'),
      ignoreCase: flag().default(false).describe('Treat requests that differ in case alone as the same.'),
    },
    'Cache of answers.',
  ),
  checks: section(
    {
      afterEdit: z
        .union([z.enum(['auto', 'off']), list()])
        .default('off')
        .describe(
          'Run once for the files of a turn, in trusted folders: what package.json names (auto), or these commands; `{files}` stands for the files.',
        ),
    },
    'Formatter, linter and type check after an edit.',
  ),
  hooks: section(
    {
      'session-start': hookSchema.optional().describe('When a session starts. `SessionStart` is accepted.'),
      'user-prompt': hookSchema.optional().describe('Before a message is sent. `UserPromptSubmit` is accepted.'),
      'before-tool': hookSchema.optional().describe('Before a tool runs; may block it. `PreToolUse` is accepted.'),
      'after-tool': hookSchema.optional().describe('After a tool ran. `PostToolUse` is accepted.'),
      'before-stop': hookSchema.optional().describe('Before a run ends; may send it on. `Stop` is accepted.'),
      notification: hookSchema.optional().describe('When the user is waited for. `Notification` is accepted.'),
    },
    'Commands that get JSON on stdin; exit 2 blocks with stderr as the reason. Trusted folders only.',
  ),
})

export type Config = z.output<typeof configSchema>
export type Backend = z.output<typeof backendSchema>
