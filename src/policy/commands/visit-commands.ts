import type { AssignmentNode, CommandNode, ListNode, RedirectNode, WordNode } from './syntax.ts'

/** Calls back for every command in a list, those of constructs and of substitutions included, outer ones first. */
export function visitCommands(list: ListNode, visit: (command: CommandNode) => void): void {
  for (const { pipelines } of list.items) {
    for (const { commands } of pipelines) for (const command of commands) visitCommand(command, visit)
  }
}

function visitCommand(command: CommandNode, visit: (command: CommandNode) => void): void {
  const lists = (...all: readonly (ListNode | undefined)[]): void => {
    for (const each of all) if (each) visitCommands(each, visit)
  }
  const words = (all: readonly WordNode[]): void => {
    for (const { parts } of all) {
      for (const part of parts) {
        if (part.kind === 'commands' || part.kind === 'process') lists(part.list)
        else if (part.kind === 'arithmetic') lists(...part.expression.lists)
        else if (part.kind === 'parameter' && part.argument) words([part.argument])
      }
    }
  }
  visit(command)
  words(command.redirects.flatMap(wordsOfRedirect))
  switch (command.kind) {
    case 'simple':
      words([...command.words, ...[...command.assignments, ...command.declared].flatMap(wordsOfAssignment)])
      return
    case 'group':
    case 'subshell':
      return lists(command.body)
    case 'if':
      return lists(...command.branches.flatMap(({ test, body }) => [test, body]))
    case 'while':
      return lists(command.test, command.body)
    case 'for':
    case 'select':
      words(command.values ?? [])
      return lists(command.body)
    case 'for-arithmetic':
      return lists(...command.expressions.flatMap((each) => each.lists), command.body)
    case 'case':
      words([command.subject, ...command.items.flatMap((item) => item.patterns)])
      return lists(...command.items.map((item) => item.body))
    case 'function':
    case 'coproc':
      return visitCommand(command.body, visit)
    case 'test':
      return words(command.words.flatMap((word) => (typeof word === 'string' ? [] : word)))
    case 'arithmetic':
      return lists(...command.expression.lists)
  }
}

function wordsOfRedirect(redirect: RedirectNode): WordNode[] {
  if (redirect.kind === 'copy') return []
  if (redirect.kind === 'here-document') return redirect.body ? [redirect.body] : []
  return [redirect.target]
}

function wordsOfAssignment({ value, elements }: AssignmentNode): readonly WordNode[] {
  return elements ?? (value ? [value] : [])
}
