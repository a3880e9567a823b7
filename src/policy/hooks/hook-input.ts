/** Moments at which hooks run. */
export type HookEvent = 'session-start' | 'user-prompt' | 'before-tool' | 'after-tool' | 'before-stop' | 'notification'

/** The names existing hooks know the moments by (Claude Code, "Hooks reference"). */
export const WIDESPREAD_EVENT: Readonly<Record<HookEvent, string>> = {
  'session-start': 'SessionStart',
  'user-prompt': 'UserPromptSubmit',
  'before-tool': 'PreToolUse',
  'after-tool': 'PostToolUse',
  'before-stop': 'Stop',
  notification: 'Notification',
}

/** The names existing hooks know the tools by. */
const WIDESPREAD_TOOL: Readonly<Record<string, string>> = {
  shell_exec: 'Bash',
  run_tests: 'Bash',
  read_file: 'Read',
  edit_file: 'Edit',
  edit_lines: 'Edit',
  write_file: 'Write',
  delete_file: 'Write',
  apply_patch: 'Edit',
  search_text: 'Grep',
  list_files: 'LS',
  web_fetch: 'WebFetch',
  plan_update: 'TodoWrite',
  task: 'Task',
}

/** What a hook is told. Fields that do not belong to the moment are left out. */
export interface HookInput {
  tool?: string
  args?: Readonly<Record<string, unknown>>
  /** after-tool: the result as the model reads it. */
  result?: string
  /** user-prompt: the message. */
  prompt?: string
  /** notification: what the user is told. */
  message?: string
  /** session-start: `startup` or `resume`. */
  source?: string
  /** before-stop: true when a hook already sent this run on once. */
  stopHookActive?: boolean
}

/** Names of a tool that a matcher may name: its own, and the widespread one. */
export function toolNames(tool: string): string[] {
  const widespread = WIDESPREAD_TOOL[tool]
  return widespread === undefined ? [tool] : [tool, widespread]
}

/** Builds the JSON a hook reads: the widespread names, and codehound's own beside them (`tool`, `tool_input`'s own keys). */
export function hookJson(
  event: HookEvent,
  input: HookInput,
  place: { sessionId: string; root: string },
): Record<string, unknown> {
  return {
    session_id: place.sessionId,
    transcript_path: '',
    cwd: place.root,
    hook_event_name: WIDESPREAD_EVENT[event],
    event,
    ...(input.tool === undefined
      ? {}
      : {
          tool: input.tool,
          tool_name: WIDESPREAD_TOOL[input.tool] ?? input.tool,
          tool_input: widespreadArgs(input.args ?? {}, place.root),
        }),
    ...(input.result === undefined ? {} : { tool_response: { text: input.result } }),
    ...(input.prompt === undefined ? {} : { prompt: input.prompt }),
    ...(input.message === undefined ? {} : { message: input.message }),
    ...(input.source === undefined ? {} : { source: input.source }),
    ...(event === 'before-stop' ? { stop_hook_active: input.stopHookActive ?? false } : {}),
  }
}

function widespreadArgs(args: Readonly<Record<string, unknown>>, root: string): Record<string, unknown> {
  const { path, old_text, new_text } = args
  return {
    ...args,
    ...(typeof path === 'string' ? { file_path: path.startsWith('/') ? path : `${root}/${path}` } : {}),
    ...(old_text === undefined ? {} : { old_string: old_text }),
    ...(new_text === undefined ? {} : { new_string: new_text }),
  }
}
