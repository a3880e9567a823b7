// Judges what a command sets: a variable that a later program obeys is a way to run another one.
import { variableEffect } from './environment-names.ts'
import { asks, opaque, type CommandContext, type Finding } from './finding.ts'
import type { Segment, VariableSetting } from './segment.ts'

interface Setting {
  name: string
  value?: string
  /** Every program that follows, or the one it stands before, gets it. */
  exported: boolean
}

/** Judges the assignments of a simple command. */
export function judgeAssignments({ assignments, words }: Segment, context: CommandContext): Finding[] {
  const isBefore = words.length > 0 && !/^(?:declare|typeset|local|readonly)$/.test(words[0]!.value ?? '')
  return assignments.flatMap(({ name, value, exported }) =>
    judge({ name, value: value.value, exported: exported === true || isBefore }, context),
  )
}

/** Judges what builtins, loops and expansions set. */
export function judgeSettings(settings: readonly VariableSetting[], context: CommandContext): Finding[] {
  return settings.flatMap(({ name, exported }) => judge({ name, exported: exported === true }, context))
}

function judge({ name, value, exported }: Setting, context: CommandContext): Finding[] {
  const effect = variableEffect(name, value)
  if (effect === 'none') return []
  const rule = 'variables that steer programs'
  if (effect === 'changes-reading') return [inPlan(opaque(context, `${name} changes how commands are read`), context)]
  if (effect === 'steers')
    return [inPlan(asks(context, `${name} decides what programs run`, { rule, never: true }), context)]
  // A name that no list has is harmless where no program gets it; in plan mode nothing else is taken on trust.
  const reaches = exported || context.facts.isInEnvironment?.(name) === true
  if (!reaches || context.mode !== 'plan') return []
  return [inPlan(asks(context, `${name} is not known to be without effect on programs`, { rule }), context)]
}

function inPlan(finding: Finding, { mode }: CommandContext): Finding {
  return mode === 'plan' ? { ...finding, verdict: 'deny', code: 'NOT_ALLOWED_IN_MODE' } : finding
}
