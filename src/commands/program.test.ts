import type { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from './program.ts'

const never = () => Promise.reject(new Error('nothing is opened here'))

const fresh = () => buildProgram({ version: '0', openApp: never, openTui: never, openCommandDeps: never }, () => {})

/** The program with handlers that only note which command ran with which options. */
function recorded() {
  const program = fresh()
  const seen: { command: string; options: unknown }[] = []
  for (const command of allCommands(program).filter((each) => each.commands.length === 0))
    command.action(() => {
      seen.push({ command: command.name(), options: withParents(command, program) })
    })
  return { program, seen }
}

function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((each) => [each, ...allCommands(each)])
}

function withParents(command: Command, program: Command): Record<string, unknown> {
  const own = command.opts()
  return command.parent && command.parent !== program ? { ...command.parent.opts(), ...own } : own
}

function path(command: Command): string[] {
  return command.parent ? [...path(command.parent), command.name()] : []
}

/** Words for an option, and one for each argument that must be there. */
function words(option: Option): string[] {
  const flag = option.long!
  if (!option.required) return [flag]
  return [flag, option.argChoices?.[0] ?? '3']
}
const needed = (command: Command): string[] =>
  command.registeredArguments.filter((each) => each.required).map(() => 'x')
const mandatory = (command: Command): string[] => command.options.filter((each) => each.mandatory).flatMap(words)

const { program } = recorded()
const commands = allCommands(program).filter((each) => each.commands.length === 0 && each.name() !== 'help')
const leading = program.options.filter((option) => option.attributeName() !== 'version')

test('an option before a command holds as behind it, is refused by name, or, for --config, holds everywhere', async () => {
  for (const command of commands)
    for (const option of leading) {
      const rest = [...mandatory(command), ...needed(command)]
      const before = recorded()
      const parsing = before.program.parseAsync([...words(option), ...path(command), ...rest], { from: 'user' })
      const takes = [command, command.parent!].some(
        (each) => each !== program && each.options.some((own) => own.attributeName() === option.attributeName()),
      )
      const told = `${option.long} ${path(command).join(' ')}`
      if (!takes && option.long !== '--config') {
        await expect(parsing, told).rejects.toThrow(`${option.long} is not an option of codehound`)
        continue
      }
      await parsing
      if (!takes) continue
      const behind = recorded()
      const at = path(command).length - (command.options.some((own) => own.long === option.long) ? 0 : 1)
      const line = [...path(command).slice(0, at), ...words(option), ...path(command).slice(at), ...rest]
      await behind.program.parseAsync(line, { from: 'user' })
      expect(before.seen, told).toEqual(behind.seen)
    }
})

test('what stands behind a command is nearer to it', async () => {
  const { program: each, seen } = recorded()
  await each.parseAsync(['--mode', 'plan', 'run', '--mode', 'ask', 'x'], { from: 'user' })
  expect(seen[0]!.options).toMatchObject({ mode: 'ask' })
})

test.each(['sesions', 'sessions lsit', 'config shw', 'help nosuch'])('"%s" is an unknown command', async (line) => {
  await expect(fresh().parseAsync(line.split(' '), { from: 'user' })).rejects.toThrow('There is no command')
})
