// How each agent names its tools: the meaning of a step -> a call of that agent.
import { isAbsolute, join } from 'node:path'
import type { Step } from './task.ts'

export interface MeantCall {
  name: string
  args: Record<string, unknown>
}

export type Profile = (step: Step, folder: string, offered: readonly string[]) => MeantCall

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const listCommand = (path: string): string => `ls ${path}`
const writeCommand = (path: string, content: string): string => `printf %s ${quote(content)} > ${path}`

export const codehound: Profile = (step) => {
  switch (step.kind) {
    case 'list':
      return { name: 'list_files', args: { path: step.path } }
    case 'read':
      return { name: 'read_file', args: { path: step.path } }
    case 'shell':
      return { name: 'shell_exec', args: { command: step.command } }
    case 'edit':
      return { name: 'edit_file', args: { path: step.path, old_text: step.old, new_text: step.new } }
    case 'write':
      return { name: 'write_file', args: { path: step.path, content: step.content } }
  }
}

/** A profile of an agent with a tool to read, one to edit and one for commands. */
function threeTools(names: {
  read: (path: string, abs: string) => MeantCall
  edit: (step: Extract<Step, { kind: 'edit' }>, abs: string) => MeantCall
  shell: (command: string) => MeantCall
}): Profile {
  return (step, folder) => {
    switch (step.kind) {
      case 'list':
        return names.shell(listCommand(step.path))
      case 'read':
        return names.read(step.path, isAbsolute(step.path) ? step.path : join(folder, step.path))
      case 'shell':
        return names.shell(step.command)
      case 'edit':
        return names.edit(step, isAbsolute(step.path) ? step.path : join(folder, step.path))
      case 'write':
        return names.shell(writeCommand(step.path, step.content))
    }
  }
}

export const pi = threeTools({
  read: (path) => ({ name: 'read', args: { path } }),
  edit: (step) => ({ name: 'edit', args: { path: step.path, edits: [{ oldText: step.old, newText: step.new }] } }),
  shell: (command) => ({ name: 'bash', args: { command } }),
})

export const opencode = threeTools({
  read: (_, abs) => ({ name: 'read', args: { filePath: abs } }),
  edit: (step, abs) => ({ name: 'edit', args: { filePath: abs, oldString: step.old, newString: step.new } }),
  shell: (command) => ({ name: 'bash', args: { command, description: 'run it' } }),
})

export const qwen = threeTools({
  read: (_, abs) => ({ name: 'read_file', args: { file_path: abs } }),
  edit: (step, abs) => ({ name: 'edit', args: { file_path: abs, old_string: step.old, new_string: step.new } }),
  shell: (command) => ({
    name: 'run_shell_command',
    args: { command, is_background: false, description: 'run it' },
  }),
})

export const gemini = threeTools({
  read: (path) => ({ name: 'read_file', args: { file_path: path } }),
  edit: (step) => ({
    name: 'replace',
    args: {
      file_path: step.path,
      old_string: step.old,
      new_string: step.new,
      instruction: 'mend the fault',
      allow_multiple: false,
    },
  }),
  shell: (command) => ({ name: 'run_shell_command', args: { command, description: 'run it' } }),
})
